import type { EncryptSecrets } from '../jobs/prepared.ts';

/** Encrypts what is given and omits what is not. */
export async function encryptInto<Name extends string>(
  encrypt: EncryptSecrets,
  secrets: Partial<Record<Name, string | Uint8Array | undefined>>,
): Promise<Partial<Record<Name, string>>> {
  const given: [string, string | Uint8Array][] = [];
  for (const [name, value] of Object.entries<string | Uint8Array | undefined>(secrets)) {
    if (value !== undefined) given.push([name, value]);
  }
  if (given.length === 0) return {};
  const encrypted = await encrypt(Object.fromEntries(given));
  // The names are the given ones.
  return encrypted as Partial<Record<Name, string>>;
}
