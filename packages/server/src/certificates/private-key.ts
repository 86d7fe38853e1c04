import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { AsnType } from 'asn1js';
import { CertificateError, malformed, wrongPassword } from './certificate-error.ts';
import { bits, elements, isContextTag, objectId, octets, parseDer, smallInteger } from './der.ts';
import { decryptPkcs8 } from './password-encryption.ts';

/** Larger than any RSA key. SEED runs in JavaScript, so it must not work on more than this. */
const MAX_ENCRYPTED_BYTES = 16 * 1024;
/** Attribute that holds the random R of a Korean certificate's virtual id. */
const VID_RANDOM = '1.2.410.200004.10.1.1.3';

export interface OpenedKey {
  readonly privateKey: KeyObject;
  /** The 20 bytes R of the virtual id (`random_enc`), if the key carries them. */
  readonly randomVid: Uint8Array | null;
}

/**
 * Opens an encrypted PKCS#8 private key (DER).
 *
 * @throws CertificateError WRONG_PASSWORD or MALFORMED
 */
export async function openPrivateKey(encrypted: Uint8Array, password: string): Promise<OpenedKey> {
  if (encrypted.length > MAX_ENCRYPTED_BYTES) throw malformed('the encrypted key');
  const [algorithm, content] = elements(parseDer(encrypted));
  return readPrivateKeyInfo(await decryptPkcs8(algorithm, octets(content), password));
}

/**
 * Reads what a password opened.
 *
 * @throws CertificateError WRONG_PASSWORD when it is not a key at all, or MALFORMED
 */
export function readPrivateKeyInfo(info: Uint8Array): OpenedKey {
  const attributes = privateKeyAttributes(info);
  return { privateKey: importRsaKey(info), randomVid: findVidRandom(attributes) };
}

/** PrivateKeyInfo: version, algorithm, key, attributes [0]. Anything else means a wrong password. */
function privateKeyAttributes(info: Uint8Array): readonly AsnType[] {
  try {
    const [version, algorithm, key, ...rest] = elements(parseDer(info));
    smallInteger(version);
    objectId(elements(algorithm)[0]);
    octets(key);
    return rest.filter((node) => isContextTag(node, 0)).flatMap(elements);
  } catch {
    throw wrongPassword();
  }
}

function importRsaKey(info: Uint8Array): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(info), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    throw malformed('the private key');
  }
  throw new CertificateError('MALFORMED', 'the private key is not an RSA key');
}

function findVidRandom(attributes: readonly AsnType[]): Uint8Array | null {
  for (const attribute of attributes) {
    const [id, values] = elements(attribute);
    if (objectId(id) === VID_RANDOM) return bits(elements(values)[0]);
  }
  return null;
}
