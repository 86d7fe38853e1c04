import { generateKeyPair, type KeyObject, type webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import pLimit from 'p-limit';
import { DAY_MS } from '../rules/durations.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { KeyRing, RingKey, RotationPolicy } from './key-ring.ts';
import { decryptFieldBytes, fieldText, RSA_OAEP } from './rsa-oaep.ts';

/** Used for 90 days, then accepted and listed for 7 more. */
export const ENCRYPTION_KEY_POLICY: RotationPolicy = {
  currentMs: 90 * DAY_MS,
  previousMs: 7 * DAY_MS,
};

/** A member of the JWKS of `GET /v1/crypto/public-key`: exactly these six. */
export interface EncryptionJwk {
  readonly kid: string;
  readonly kty: 'RSA';
  readonly alg: 'RSA-OAEP-256';
  readonly use: 'enc';
  readonly n: string;
  readonly e: string;
}

/** Decrypts values that one organization encrypted. */
export interface FieldOpener {
  /** @throws ServiceError ENCRYPTED_FIELD_DECRYPT_FAILED */
  decrypt(value: string): Promise<string>;
  /** Like `decrypt`, for binary values (a certificate's DER). */
  decryptBytes(value: string): Promise<Uint8Array>;
}

export interface FieldKeys extends FieldOpener {
  /** The public keys, the current one first. Creates the first key of the ring if necessary. */
  jwks(): Promise<{ readonly keys: readonly EncryptionJwk[] }>;
}

/** The keys of every organization: a value encrypted for one does not decrypt for another. */
export interface EncryptionKeys {
  of(organizationId: number, envScope: EnvScope): FieldKeys;
  /** For what belongs to no environment, such as links: decrypts values encrypted for any of them. */
  ofLinks(organizationId: number): FieldOpener;
  /** Keys are read from the store again, so that one destroyed by another process decrypts nothing here. */
  forget(): void;
}

/** Generates an RSA-4096 key in the libuv pool: 0.3 to 1.3 s. */
export async function generateEncryptionKey(): Promise<KeyObject> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 4096 });
  return pair.privateKey;
}

/** Half of the threads of the pool. */
const AT_ONCE = 2;
/** Behind those being made: about half a minute of work. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 10;

/**
 * Makes two keys at a time in this process. Anyone may register and ask for a first key, and passwords, credentials and
 * names of hosts wait for the same four threads.
 * @returns a function that throws ServiceError RATE_LIMITED when too many wait
 */
export function createKeyMaker(generate = generateEncryptionKey): () => Promise<KeyObject> {
  const queue = pLimit(AT_ONCE);
  return async () => {
    if (queue.pendingCount >= MAX_WAITING) {
      throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return queue(generate);
  };
}

/** Rings kept in memory; another one replaces the oldest. */
const MAX_RINGS = 1_000;

/** The encryption keys of all organizations. Each ring is created on first use. */
export function createEncryptionKeys(
  openRing: (organizationId: number, envScope: EnvScope) => KeyRing,
): EncryptionKeys {
  const rings = new Map<string, KeyRing>();
  const importKey = createKeyImport();

  function ringOf(organizationId: number, envScope: EnvScope): KeyRing {
    const name = `${organizationId}:${envScope}`;
    const known = rings.get(name);
    if (known) return known;
    const [oldest] = rings.keys();
    if (oldest !== undefined && rings.size >= MAX_RINGS) rings.delete(oldest);
    const ring = openRing(organizationId, envScope);
    rings.set(name, ring);
    return ring;
  }

  function openerOf(own: readonly KeyRing[]): FieldOpener {
    async function decryptBytes(value: string): Promise<Uint8Array> {
      const known = own.flatMap((ring) => ring.known());
      try {
        return await decryptFieldBytes(value, known.map(importKey));
      } catch (failure) {
        // Another process may have created or rotated keys, so only keys not tried yet are worth a second attempt.
        const tried = new Set(known.map(({ kid }) => kid));
        for (const ring of own) {
          const added = (await ring.keys()).filter(({ kid }) => !tried.has(kid));
          const opened = await decryptFieldBytes(value, added.map(importKey)).catch(() => null);
          if (opened !== null) return opened;
        }
        throw failure;
      }
    }
    return {
      decryptBytes,
      decrypt: async (value) => fieldText(await decryptBytes(value)),
    };
  }

  return {
    of(organizationId, envScope) {
      const ring = ringOf(organizationId, envScope);
      return {
        ...openerOf([ring]),
        jwks: async () => ({ keys: (await ring.keys()).map(publicJwk) }),
      };
    },
    ofLinks: (organizationId) =>
      openerOf(ENV_SCOPES.map((envScope) => ringOf(organizationId, envScope))),
    forget: () => rings.clear(),
  };
}

function createKeyImport() {
  const imported = new WeakMap<KeyObject, webcrypto.CryptoKey>();
  return ({ privateKey }: RingKey): webcrypto.CryptoKey => {
    const known = imported.get(privateKey);
    if (known) return known;
    const key = privateKey.toCryptoKey(RSA_OAEP, false, ['decrypt']);
    imported.set(privateKey, key);
    return key;
  };
}

function publicJwk({ kid, publicKey }: RingKey): EncryptionJwk {
  const { n, e } = publicKey.export({ format: 'jwk' });
  if (n === undefined || e === undefined) throw new TypeError(`key ${kid} is not an RSA key`);
  return { kid, kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', n, e };
}
