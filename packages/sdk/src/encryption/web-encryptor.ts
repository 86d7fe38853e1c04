import type { EncryptionKey, Encryptor } from './encryptor.ts';

/** Encrypts with WebCrypto, which every runtime has. */
export function webEncryptor(subtle: typeof crypto.subtle = crypto.subtle): Encryptor {
  let parsed: { from: EncryptionKey; key: Promise<CryptoKey> } | null = null;
  return {
    async encryptPieces(key, pieces) {
      if (parsed?.from !== key) parsed = { from: key, key: importKey(subtle, key) };
      const imported = await parsed.key;
      const encrypted = pieces.map((piece) =>
        // A copy, because WebCrypto refuses views into shared memory.
        subtle.encrypt({ name: 'RSA-OAEP' }, imported, new Uint8Array(piece)),
      );
      return (await Promise.all(encrypted)).map((buffer) => new Uint8Array(buffer));
    },
  };
}

function importKey(subtle: typeof crypto.subtle, { n, e }: EncryptionKey): Promise<CryptoKey> {
  const jwk = { kty: 'RSA', n, e, alg: 'RSA-OAEP-256', ext: true };
  return subtle.importKey('jwk', jwk, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
}
