import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { EncryptionError, type EncryptionKey } from '@changgu/sdk';
import { encryptFields as encryptInPage, webEncryptor } from '@changgu/sdk/encrypt';
import { nodeRsaEncryptor } from '@changgu/sdk/node-rsa';
import { NodeRSA } from 'node-rsa';
import { describe, expect, it } from 'vitest';
import { chooseKey } from '../src/encryption/choose-key.ts';
import { encryptFields } from '../src/encryption/encrypt-fields.ts';
import { KeyCache } from '../src/encryption/key-cache.ts';
import { nodeCrypto, nodeEncryptor } from '../src/encryption/node-encryptor.ts';
import { VirtualClock } from '../src/testing/virtual-clock.ts';
import { failureOf } from './support/fake.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096 });
const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
const key: EncryptionKey = { kid: 'k1', kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', n, e };

function node() {
  const crypto = nodeCrypto();
  if (!crypto) throw new Error('node:crypto is missing');
  return nodeEncryptor(crypto);
}

function piecesOf(value: string): Buffer[] {
  const bytes = Buffer.from(value, 'base64');
  expect(bytes.length % 512).toBe(0);
  return Array.from({ length: bytes.length / 512 }, (_, i) =>
    bytes.subarray(i * 512, (i + 1) * 512),
  );
}

function decryptWithNode(value: string): Buffer[] {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return piecesOf(value).map((piece) =>
    privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, piece),
  );
}

async function decryptWithWeb(value: string): Promise<Buffer> {
  const der = Uint8Array.from(privateKey.export({ type: 'pkcs8', format: 'der' }));
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['decrypt']);
  const plain = piecesOf(value).map((piece) =>
    crypto.subtle.decrypt({ name: 'RSA-OAEP' }, imported, new Uint8Array(piece)),
  );
  return Buffer.concat((await Promise.all(plain)).map((buffer) => Buffer.from(buffer)));
}

/** The independent judge: pure JavaScript, shares no OpenSSL code. */
function decryptWithNodeRsa(value: string): Buffer {
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const rsa = new NodeRSA(pem, 'pkcs1-private-pem', {
    environment: 'browser',
    encryptionScheme: { scheme: 'pkcs1_oaep', hash: 'sha256' },
  });
  return Buffer.concat(piecesOf(value).map((piece) => Buffer.from(rsa.decrypt(piece))));
}

const backends = { node, web: webEncryptor, 'node-rsa': nodeRsaEncryptor };

describe.each(Object.entries(backends))('field encryption with %s', (_, backend) => {
  it.each([0, 1, 445, 446, 447, 892, 893, 1000])(
    'cuts %i bytes into exact pieces that every library opens (R53)',
    async (length) => {
      const plain = Uint8Array.from({ length }, (_, index) => index % 256);
      const { value = '' } = await encryptFields(backend(), key, { value: plain });
      const lengths = decryptWithNode(value).map((piece) => piece.length);
      const full = Math.floor(length / 446);
      const rest = length % 446;
      const expected = [
        ...Array<number>(full).fill(446),
        ...(rest > 0 || length === 0 ? [rest] : []),
      ];
      expect(lengths).toEqual(expected);
      expect(Buffer.concat(decryptWithNode(value))).toEqual(Buffer.from(plain));
      expect(await decryptWithWeb(value)).toEqual(Buffer.from(plain));
    },
  );

  it('keeps a character that straddles the border of two pieces (R54)', async () => {
    const text = `${'a'.repeat(445)}창구`;
    const { value = '' } = await encryptFields(backend(), key, { value: text });
    expect(Buffer.concat(decryptWithNode(value)).toString()).toBe(text);
    expect(decryptWithNodeRsa(value).toString()).toBe(text);
  });

  it('writes standard base64 (D60)', async () => {
    const { value } = await encryptFields(backend(), key, { value: 'x' });
    expect(value).toMatch(/^[A-Za-z0-9+/]{683}=$/);
  });

  it('is randomized: two encryptions differ', async () => {
    const encryptor = backend();
    const first = await encryptFields(encryptor, key, { value: 'x' });
    expect(await encryptFields(encryptor, key, { value: 'x' })).not.toEqual(first);
  });
});

describe('field encryption', () => {
  it('refuses more than 32 pieces in one request (D34)', async () => {
    const secrets = { a: 'x'.repeat(446 * 20), b: 'x'.repeat(446 * 13) };
    expect(await failureOf(encryptFields(node(), key, secrets))).toBeInstanceOf(EncryptionError);
  });

  it('never tells the value when it fails', async () => {
    const broken = {
      encryptPieces: () => {
        throw new Error('cannot encrypt 4321');
      },
    };
    const error = await failureOf(encryptFields(broken, key, { value: '4321' }));
    expect(String(error)).not.toMatch(/\b4321\b/);
    expect(error).not.toHaveProperty('cause');
  });

  it('works in a page from a key set', async () => {
    const { account_password = '' } = await encryptInPage(
      { keys: [key] },
      { account_password: '1' },
    );
    expect(Buffer.concat(decryptWithNode(account_password)).toString()).toBe('1');
  });
});

describe('the key of the service', () => {
  const other = (changes: Partial<EncryptionKey>) => ({ keys: [{ ...key, ...changes }] });

  it('is the first whose use is enc', () => {
    const signing = { ...key, kid: 'sig', use: 'sig' };
    expect(chooseKey({ keys: [signing, key, { ...key, kid: 'k0' }] }).kid).toBe('k1');
  });

  it.each([
    ['another type', { kty: 'EC' }],
    ['another algorithm', { alg: 'RSA-OAEP' }],
    ['another exponent', { e: 'Aw' }],
    ['a shorter modulus', { n: n.slice(0, 342) }],
    ['a modulus that is not base64url', { n: '!' }],
    ['another use', { use: 'sig' }],
  ])('is refused with %s', (_, changes) => {
    expect(() => chooseKey(other(changes))).toThrow(EncryptionError);
  });
});

describe('the cache of the key', () => {
  const { signal: patient } = new AbortController();

  function setUp(maxAge = 'max-age=300') {
    const clock = new VirtualClock();
    const state = { calls: 0, key, fails: false };
    const kept = new KeyCache(clock);
    const fetchKeys = async () => {
      state.calls += 1;
      await Promise.resolve();
      if (state.fails) throw new Error('down');
      return { keys: { keys: [state.key] }, headers: new Headers({ 'cache-control': maxAge }) };
    };
    const cache = {
      current: () => kept.current(fetchKeys, patient),
      invalidate: () => kept.invalidate(),
    };
    return { cache, state, clock };
  }

  it('asks once for all who wait', async () => {
    const { cache, state } = setUp();
    await Promise.all([cache.current(), cache.current(), cache.current()]);
    expect(state.calls).toBe(1);
  });

  it('asks again when Cache-Control is over, and takes the rotated key', async () => {
    const { cache, state, clock } = setUp();
    const first = await cache.current();
    await clock.advance(299_000);
    expect(await cache.current()).toBe(first);
    state.key = { ...key, kid: 'k2' };
    await clock.advance(2000);
    expect((await cache.current()).kid).toBe('k2');
    expect(state.calls).toBe(2);
  });

  it('takes another key of the same name', async () => {
    const clock = new VirtualClock();
    const other = { ...key, n: `${n.slice(0, -2)}AA` };
    const served = [key, other];
    const fetchKeys = async () => ({
      keys: { keys: [served.shift() ?? other] },
      headers: new Headers({ 'cache-control': 'max-age=60' }),
    });
    const cache = new KeyCache(clock);
    expect((await cache.current(fetchKeys, patient)).n).toBe(n);
    await clock.advance(61_000);
    expect((await cache.current(fetchKeys, patient)).n).toBe(other.n);
  });

  it('never keeps a key longer than ten minutes', async () => {
    const { cache, state, clock } = setUp('max-age=86400');
    await cache.current();
    await clock.advance(10 * 60_000);
    await cache.current();
    expect(state.calls).toBe(2);
  });

  it('uses a stale key while the service cannot be asked, for an hour', async () => {
    const { cache, state, clock } = setUp();
    await cache.current();
    state.fails = true;
    await clock.advance(59 * 60_000);
    expect((await cache.current()).kid).toBe('k1');
    await clock.advance(2 * 60_000);
    expect(await failureOf(cache.current())).toMatchObject({ message: 'down' });
  });

  it('asks again after a refused value, but not more often than every 30 s', async () => {
    const { cache, state, clock } = setUp();
    await cache.current();
    cache.invalidate();
    await cache.current();
    expect(state.calls).toBe(1);
    await clock.advance(30_000);
    cache.invalidate();
    await cache.current();
    expect(state.calls).toBe(2);
  });
});
