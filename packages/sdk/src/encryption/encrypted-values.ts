import type { EncryptSecrets } from '../jobs/prepared.ts';
import { checkCiphertexts } from './ciphertext.ts';
import { definedOnly } from './defined-only.ts';

/** Plain values by name. */
export type SecretValues<Name extends string> = {
  readonly [N in Name]?: string | Uint8Array | undefined;
};
/** Values that are encrypted already. */
export type EncryptedValues<Name extends string> = { readonly [N in Name]?: string | undefined };

/**
 * A request's encrypted values: those given as such, and the plain ones encrypted.
 * @throws EncryptionError that names the field but never the value
 */
export async function encryptedValues<Name extends string>(
  encrypt: EncryptSecrets,
  secrets: SecretValues<Name> = {},
  encrypted: EncryptedValues<Name> = {},
): Promise<Partial<Record<Name, string>>> {
  const ready = checkCiphertexts(secrets, encrypted);
  const plain = definedOnly<string | Uint8Array>(secrets);
  const values = { ...ready, ...(Object.keys(plain).length > 0 ? await encrypt(plain) : {}) };
  // The names are the given ones.
  return values as Partial<Record<Name, string>>;
}
