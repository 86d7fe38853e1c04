import { generateKeyPair, type KeyObject, type webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyRing, RingKey, RotationPolicy } from './key-ring.ts';
import { decryptFieldBytes, fieldText, RSA_OAEP } from './rsa-oaep.ts';

const DAY_MS = 86_400_000;

/** 90 days in use, then 7 more accepted and listed. */
export const ENCRYPTION_KEY_POLICY: RotationPolicy = {
  currentMs: 90 * DAY_MS,
  previousMs: 7 * DAY_MS,
};

/** A member of the JWKS of `GET /v1/crypto/public-key`: these six and no other. */
export interface EncryptionJwk {
  readonly kid: string;
  readonly kty: 'RSA';
  readonly alg: 'RSA-OAEP-256';
  readonly use: 'enc';
  readonly n: string;
  readonly e: string;
}

export interface EncryptionKeys {
  /** The public keys, the one in use first. */
  jwks(): Promise<{ readonly keys: readonly EncryptionJwk[] }>;
  /** @throws ServiceError ENCRYPTED_FIELD_DECRYPT_FAILED */
  decrypt(value: string): Promise<string>;
  /** As `decrypt`, for values that are not text (a certificate's DER). */
  decryptBytes(value: string): Promise<Uint8Array>;
}

/** Makes an RSA-4096 key in the libuv pool: 0.3 to 1.3 s. */
export async function generateEncryptionKey(): Promise<KeyObject> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 4096 });
  return pair.privateKey;
}

/** The ring of RSA keys that clients encrypt values for. */
export function createEncryptionKeys(ring: KeyRing): EncryptionKeys {
  const imported = new WeakMap<KeyObject, webcrypto.CryptoKey>();

  function importKey({ privateKey }: RingKey): webcrypto.CryptoKey {
    const known = imported.get(privateKey);
    if (known) return known;
    const key = privateKey.toCryptoKey(RSA_OAEP, false, ['decrypt']);
    imported.set(privateKey, key);
    return key;
  }

  async function decryptBytes(value: string): Promise<Uint8Array> {
    const known = ring.known();
    try {
      return await decryptFieldBytes(value, known.map(importKey));
    } catch (failure) {
      // Another process may have rotated since: only keys not tried yet are worth a second attempt.
      const tried = new Set(known.map(({ kid }) => kid));
      const added = (await ring.keys()).filter(({ kid }) => !tried.has(kid));
      if (added.length === 0) throw failure;
      return decryptFieldBytes(value, added.map(importKey));
    }
  }

  return {
    decryptBytes,
    async decrypt(value) {
      return fieldText(await decryptBytes(value));
    },
    async jwks() {
      return { keys: (await ring.keys()).map(publicJwk) };
    },
  };
}

function publicJwk({ kid, publicKey }: RingKey): EncryptionJwk {
  const { n, e } = publicKey.export({ format: 'jwk' });
  if (n === undefined || e === undefined) throw new TypeError(`key ${kid} is not an RSA key`);
  return { kid, kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', n, e };
}
