/** Field encryption for web pages: WebCrypto, no client secret, nothing else of the SDK. */
import { chooseKey, type EncryptionKeySet } from './encryption/choose-key.ts';
import { encryptFields as encryptWith, type Secrets } from './encryption/encrypt-fields.ts';
import { webEncryptor } from './encryption/web-encryptor.ts';

export type { EncryptionKeySet } from './encryption/choose-key.ts';
export type { Secrets } from './encryption/encrypt-fields.ts';
export type { EncryptionKey, Encryptor } from './encryption/encryptor.ts';
export { webEncryptor } from './encryption/web-encryptor.ts';
export { EncryptionError } from './errors/local-errors.ts';

/**
 * Encrypts values for a job's `encrypted_fields`, or for the fields of a credential.
 * Your own server has to provide the service's keys, because reading them needs credentials.
 * @throws EncryptionError when no key is usable or the values need more than 32 blocks
 */
export async function encryptFields(
  keys: EncryptionKeySet,
  secrets: Secrets,
): Promise<Record<string, string>> {
  return encryptWith(webEncryptor(), chooseKey(keys), secrets);
}
