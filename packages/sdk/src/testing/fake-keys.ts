interface KeyPair {
  readonly jwk: Record<string, unknown>;
  readonly privateKey: CryptoKey;
}

/** The key ring of the fake: real RSA-4096, made at first use (0.3 to 1.3 s). */
export class FakeKeys {
  #ring: Promise<KeyPair>[] = [];

  /** The JWKS, the key in use first. */
  async jwks(): Promise<{ keys: Record<string, unknown>[] }> {
    if (this.#ring.length === 0) this.rotate();
    const pairs = await Promise.all(this.#ring);
    return { keys: pairs.map(({ jwk }) => jwk) };
  }

  /** A new key in front; the one before stays listed, older ones go. */
  rotate(): void {
    this.#ring = [makeKey(), ...this.#ring.slice(0, 1)];
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

async function makeKey(): Promise<KeyPair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    {
      name: 'RSA-OAEP',
      modulusLength: 4096,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: 'SHA-256',
    },
    true,
    ['encrypt', 'decrypt'],
  );
  const { n, e } = await crypto.subtle.exportKey('jwk', publicKey);
  const jwk = { kid: crypto.randomUUID(), kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', n, e };
  return { jwk, privateKey };
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
