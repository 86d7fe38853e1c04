import { FAKE_TEST_KEY } from './fake-test-key.ts';

interface KeyPair {
  readonly jwk: Record<string, unknown>;
  readonly privateKey: CryptoKey;
}

/** The key ring of the fake: real RSA-4096. The first key is a fixed one; those after a rotation are made. */
export class FakeKeys {
  #ring: Promise<KeyPair>[] = [];

  /** The JWKS, the key in use first. */
  async jwks(): Promise<{ keys: Record<string, unknown>[] }> {
    if (this.#ring.length === 0) this.#ring = [fixedKey()];
    const pairs = await Promise.all(this.#ring);
    return { keys: pairs.map(({ jwk }) => jwk) };
  }

  /** A new key in front; the one before stays listed, older ones go. */
  rotate(): void {
    this.#ring = [makeKey(), this.#ring[0] ?? fixedKey()];
  }

  /** What was encrypted for a key of the ring. @throws when no key opens it */
  async decrypt(value: string): Promise<Uint8Array> {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    for (const { privateKey } of await Promise.all(this.#ring)) {
      const opened = await open(privateKey, bytes);
      if (opened) return opened;
    }
    throw new Error('No key opens this value.');
  }
}

const ALGORITHM = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;

async function fixedKey(): Promise<KeyPair> {
  const privateKey = await crypto.subtle.importKey('jwk', FAKE_TEST_KEY, ALGORITHM, false, [
    'decrypt',
  ]);
  const { n, e } = FAKE_TEST_KEY;
  return { jwk: publicJwk('fake-test-key', n, e), privateKey };
}

async function makeKey(): Promise<KeyPair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    {
      ...ALGORITHM,
      modulusLength: 4096,
      publicExponent: Uint8Array.of(1, 0, 1),
    },
    true,
    ['encrypt', 'decrypt'],
  );
  const { n, e } = await crypto.subtle.exportKey('jwk', publicKey);
  return { jwk: publicJwk(crypto.randomUUID(), n, e), privateKey };
}

function publicJwk(kid: string, n: string | undefined, e: string | undefined) {
  return { kid, kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', n, e };
}

async function open(key: CryptoKey, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | null> {
  const opened: number[] = [];
  for (let offset = 0; offset < bytes.length; offset += 512) {
    const piece = bytes.subarray(offset, offset + 512);
    const plain = await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, key, piece).catch(() => null);
    if (!plain) return null;
    opened.push(...new Uint8Array(plain));
  }
  return Uint8Array.from(opened);
}
