/** Field encryption for a page: WebCrypto, no secret of a client, nothing else of the SDK. */
import { chooseKey, type EncryptionKeySet } from './encryption/choose-key.ts';
import { encryptFields as encryptWith, type Secrets } from './encryption/encrypt-fields.ts';
import { webEncryptor } from './encryption/web-encryptor.ts';

export type { EncryptionKeySet } from './encryption/choose-key.ts';
export type { Secrets } from './encryption/encrypt-fields.ts';
export type { EncryptionKey, Encryptor } from './encryption/encryptor.ts';
export { webEncryptor } from './encryption/web-encryptor.ts';
export { EncryptionError } from './errors/local-errors.ts';

/**
 * Encrypts values for `encrypted_fields` of a job, or for the fields of a credential.
 * The keys come from the service through your own server: reading them needs its credentials.
 * @throws EncryptionError when no key is usable or the values need more than 32 pieces
 */
export async function encryptFields(
  keys: EncryptionKeySet,
  secrets: Secrets,
): Promise<Record<string, string>> {
  return encryptWith(webEncryptor(), chooseKey(keys), secrets);
}
