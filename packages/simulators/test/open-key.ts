import {
  createDecipheriv,
  createPrivateKey,
  hash,
  type KeyObject,
  pbkdf2Sync,
  sign,
} from 'node:crypto';
import * as asn1 from 'asn1js';
import { KISA_SEED_CBC } from 'kisa-seed';
import type { DemoCertificate } from '../src/index.ts';

const PBES1_SEED = '1.2.410.200004.1.15';
const SEED_CBC = '1.2.410.200004.1.4';

function parts(block: unknown): asn1.BaseBlock[] {
  if (block instanceof asn1.Sequence || block instanceof asn1.Constructed) {
    return block.valueBlock.value;
  }
  throw new Error('expected a sequence');
}

function oid(block: unknown): string {
  if (block instanceof asn1.ObjectIdentifier) return block.valueBlock.toString();
  throw new Error('expected an object identifier');
}

function bytes(block: unknown): Buffer {
  if (block instanceof asn1.OctetString) return Buffer.from(block.valueBlock.valueHexView);
  throw new Error('expected an octet string');
}

function count(block: unknown): number {
  if (block instanceof asn1.Integer) return block.valueBlock.valueDec;
  throw new Error('expected an integer');
}

function seed(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  return Buffer.from(KISA_SEED_CBC.SEED_CBC_Decrypt(key, iv, data, 0, data.length));
}

function openPbes1(parameters: unknown, data: Buffer, password: string): Buffer {
  const [salt, iterations] = parts(parameters);
  let derived = hash('sha1', Buffer.concat([Buffer.from(password), bytes(salt)]), 'buffer');
  for (let round = 1; round < count(iterations); round += 1)
    derived = hash('sha1', derived, 'buffer');
  const iv = hash('sha1', derived.subarray(16), 'buffer').subarray(0, 16);
  return seed(derived.subarray(0, 16), iv, data);
}

function openPbes2(parameters: unknown, data: Buffer, password: string): Buffer {
  const [derivation, scheme] = parts(parameters);
  const [salt, iterations] = parts(parts(derivation)[1]);
  const [cipher, iv] = parts(scheme);
  const derive = (length: number): Buffer =>
    pbkdf2Sync(password, bytes(salt), count(iterations), length, 'sha256');
  if (oid(cipher) === SEED_CBC) return seed(derive(16), bytes(iv), data);
  const decipher = createDecipheriv('aes-256-cbc', derive(32), bytes(iv));
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

/** The PrivateKeyInfo of a demo key file: a second opinion on what the fixture script wrote. */
export function openKeyFile({ encryptedKeyDer, password }: DemoCertificate): Buffer {
  const [algorithm, data] = parts(asn1.fromBER(new Uint8Array(encryptedKeyDer).buffer).result);
  const [scheme, parameters] = parts(algorithm);
  const open = oid(scheme) === PBES1_SEED ? openPbes1 : openPbes2;
  return open(parameters, bytes(data), password);
}

export function openKey(certificate: DemoCertificate): KeyObject {
  return createPrivateKey({ key: openKeyFile(certificate), format: 'der', type: 'pkcs8' });
}

/** base64 of SHA256withRSA over a portal's nonce. */
export function signNonce(certificate: DemoCertificate, nonce: string): string {
  return sign('sha256', Buffer.from(nonce), openKey(certificate)).toString('base64');
}
