import { createHmac } from 'node:crypto';
import type { AsnType } from 'asn1js';
import { sameBytes } from '../../crypto/same-secret.ts';
import { CertificateError, malformed, wrongPassword } from '../certificate-error.ts';
import {
  contextContent,
  elements,
  isContextTag,
  objectId,
  octets,
  parseDer,
  smallInteger,
} from '../der.ts';
import { maySign } from '../extensions.ts';
import { type OpenedKey, readPrivateKeyInfo } from '../private-key.ts';
import { readCertificate } from '../read-certificate.ts';
import { decryptPart } from './decrypt.ts';
import { type Digest, KeyDerivation, PURPOSE, SHA1 } from './derive-key.ts';

/** Two pairs and their authorities come to ten thousand. */
const MAX_BYTES = 32 * 1024;
/** Exporters write two or three. */
const MAX_PARTS = 8;
const MAX_BAGS = 16;

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const X509 = '1.2.840.113549.1.9.22.1';

const DIGESTS: ReadonlyMap<string, Digest> = new Map([
  ['1.3.14.3.2.26', SHA1],
  ['2.16.840.1.101.3.4.2.1', { name: 'sha256', bytes: 32, blockBytes: 64 }],
  ['2.16.840.1.101.3.4.2.2', { name: 'sha384', bytes: 48, blockBytes: 128 }],
  ['2.16.840.1.101.3.4.2.3', { name: 'sha512', bytes: 64, blockBytes: 128 }],
]);

/** A certificate and the key that belongs to it. */
export interface KeyPair extends OpenedKey {
  readonly certificateDer: Uint8Array;
}

interface Contents {
  readonly certificates: Uint8Array[];
  readonly keys: OpenedKey[];
}

/**
 * Opens a PKCS#12 file (`.p12`, `.pfx`). Of several pairs it takes the one that may sign: issuers put the one for
 * encryption into the same file.
 *
 * @throws CertificateError WRONG_PASSWORD, KEY_MISMATCH or MALFORMED
 */
export async function openPkcs12(file: Uint8Array, password: string): Promise<KeyPair> {
  if (file.length > MAX_BYTES) throw malformed('the file');
  const [version, authSafe, macData] = elements(parseDer(file));
  smallInteger(version);
  const safe = contentOf(authSafe, DATA);
  const derivation = new KeyDerivation(password);
  if (macData) await assertPassword(macData, safe, derivation);
  const contents: Contents = { certificates: [], keys: [] };
  const parts = elements(parseDer(safe));
  if (parts.length > MAX_PARTS) throw malformed('the file');
  for (const part of parts) {
    const bags = await openPart(part, password, derivation);
    for (const bag of elements(parseDer(bags))) await readBag(bag, password, derivation, contents);
  }
  return pairIn(contents);
}

/** The integrity of the file, which also tells a wrong password before anything is decrypted. */
async function assertPassword(
  macData: AsnType,
  content: Uint8Array,
  keys: KeyDerivation,
): Promise<void> {
  const [info, salt, count] = elements(macData);
  const [algorithm, expected] = elements(info);
  const digest = DIGESTS.get(objectId(elements(algorithm)[0]));
  // A newer kind of code. A wrong password is then told by what it decrypts to.
  if (!digest) return;
  const key = await keys.derive({
    digest,
    purpose: PURPOSE.mac,
    salt: octets(salt),
    iterations: count === undefined ? 1 : smallInteger(count),
    bytes: digest.bytes,
  });
  const actual = createHmac(digest.name, key).update(content).digest();
  if (!sameBytes(octets(expected), actual)) throw wrongPassword();
}

async function openPart(part: AsnType, password: string, keys: KeyDerivation): Promise<Uint8Array> {
  const [type, content] = elements(part);
  if (objectId(type) === DATA) return contentOf(part, DATA);
  if (objectId(type) !== ENCRYPTED_DATA) throw malformed('the file');
  const [, encrypted] = elements(elements(content)[0]);
  const [, algorithm, ciphertext] = elements(encrypted);
  return decryptPart(algorithm, contextContent(ciphertext), password, keys);
}

async function readBag(
  bag: AsnType,
  password: string,
  derivation: KeyDerivation,
  { certificates, keys }: Contents,
): Promise<void> {
  if (certificates.length + keys.length >= MAX_BAGS) throw malformed('the file');
  const [type, wrapped] = elements(bag);
  const [value] = elements(wrapped);
  switch (objectId(type)) {
    case CERTIFICATE_BAG: {
      const [kind, certificate] = elements(value);
      if (objectId(kind) === X509) certificates.push(octets(elements(certificate)[0]));
      return;
    }
    case SHROUDED_KEY_BAG: {
      const [algorithm, ciphertext] = elements(value);
      const info = await decryptPart(algorithm, octets(ciphertext), password, derivation);
      keys.push(readPrivateKeyInfo(info));
      return;
    }
    case KEY_BAG:
      if (value) keys.push(readPrivateKeyInfo(new Uint8Array(value.toBER())));
  }
}

function contentOf(contentInfo: AsnType | undefined, expected: string): Uint8Array {
  const [type, content] = elements(contentInfo);
  if (objectId(type) !== expected || !content || !isContextTag(content, 0)) {
    throw malformed('the file');
  }
  return octets(elements(content)[0]);
}

function pairIn({ certificates, keys }: Contents): KeyPair {
  const pairs = certificates.flatMap((certificateDer) => {
    const certificate = readCertificate(certificateDer);
    const key = keys.find(({ privateKey }) => certificate.checkPrivateKey(privateKey));
    return key ? [{ certificateDer, ...key }] : [];
  });
  const pair = pairs.find(({ certificateDer }) => maySign(certificateDer)) ?? pairs[0];
  if (pair) return pair;
  if (certificates.length === 0 || keys.length === 0) throw malformed('the file');
  throw new CertificateError('KEY_MISMATCH', 'the key does not belong to the certificate');
}
