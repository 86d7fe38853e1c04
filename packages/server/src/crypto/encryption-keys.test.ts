import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import { currentRsaKey, previousRsaKey } from '../../test/fixtures/rsa-oaep/rsa-keys.ts';
import { memoryKeyRecords, memoryOrganizationKeys } from '../../test/memory-key-stores.ts';
import {
  createEncryptionKeys,
  createKeyMaker,
  ENCRYPTION_KEY_POLICY,
  type EncryptionJwk,
  generateEncryptionKey,
} from './encryption-keys.ts';
import { createKeyRing } from './key-ring.ts';
import { deriveMasterKey } from './master-keys/master-key.ts';
import { fixedMasterKeys } from './master-keys/master-key-source.ts';
import { encryptionRing } from './ring-name.ts';
import { createVault } from './vault.ts';

const DAY_MS = 86_400_000;

function setup() {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const store = memoryKeyRecords();
  const vault = createVault({
    masterKeys: fixedMasterKeys([deriveMasterKey(new Uint8Array(32))]),
    organizationKeys: memoryOrganizationKeys(),
  });
  const supply = [previousRsaKey, currentRsaKey];
  async function generate(): Promise<KeyObject> {
    const key = supply.shift();
    if (!key) throw new Error('no more keys');
    return key;
  }
  const newRing = () =>
    createKeyRing({
      ring: 'encryption_keys:1:sandbox',
      policy: ENCRYPTION_KEY_POLICY,
      store,
      vault,
      generate,
      now: () => clock.now,
    });
  const open = () => {
    const ring = newRing();
    return { ring, keys: createEncryptionKeys(() => ring).of(1, 'sandbox') };
  };
  return { clock, open, newRing, vault, generate };
}

function encrypt(text: string, jwk: EncryptionJwk | undefined) {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt({ key, padding, oaepHash: 'sha256' }, Buffer.from(text)).toString('base64');
}

describe('public key document (R61)', () => {
  it('has exactly the six members and an RFC 7638 kid', async () => {
    const { keys } = await setup().open().keys.jwks();
    expect(keys).toHaveLength(1);
    const [key] = keys;
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', e: 'AQAB' });
    expect(key?.kid).toBe(
      await calculateJwkThumbprint({ kty: 'RSA', n: key?.n ?? '', e: key?.e ?? '' }),
    );
  });

  it('during rotation both keys are listed, the one in use first, and both decrypt', async () => {
    const { clock, open } = setup();
    const { ring, keys } = open();
    const [first] = (await keys.jwks()).keys;
    const early = encrypt('먼저', first);
    clock.now += 90 * DAY_MS;
    await ring.maintain();
    const [second, listed] = (await keys.jwks()).keys;
    expect(listed).toEqual(first);
    expect(await keys.decrypt(early)).toBe('먼저');
    expect(await keys.decrypt(encrypt('나중', second))).toBe('나중');

    clock.now += 7 * DAY_MS;
    expect((await keys.jwks()).keys).toEqual([second]);
    await expect(keys.decrypt(early)).rejects.toMatchObject({
      code: 'ENCRYPTED_FIELD_DECRYPT_FAILED',
    });
  });

  it('a value for a key that another process has just put in use decrypts', async () => {
    const { open } = setup();
    const [here, there] = [open(), open()];
    await there.keys.jwks();
    await here.ring.rotate();
    const [fresh] = (await here.keys.jwks()).keys;
    expect(await there.keys.decrypt(encrypt('새 키', fresh))).toBe('새 키');
  });

  it('a value for a key that another process has destroyed decrypts no longer (D58)', async () => {
    const { clock, open, newRing } = setup();
    const here = createEncryptionKeys(newRing);
    const decrypt = (value: string) => here.of(1, 'sandbox').decrypt(value);
    const [old] = (await here.of(1, 'sandbox').jwks()).keys;
    const value = encrypt('옛 키', old);
    expect(await decrypt(value)).toBe('옛 키');
    const there = open();
    await there.ring.rotate();
    clock.now += 8 * DAY_MS;
    await there.ring.maintain();
    here.forget();
    await expect(decrypt(value)).rejects.toMatchObject({ code: 'ENCRYPTED_FIELD_DECRYPT_FAILED' });
  });

  it('a value that is not text is read as bytes', async () => {
    const { keys } = setup().open();
    const [key] = (await keys.jwks()).keys;
    expect(Buffer.from(await keys.decryptBytes(encrypt('bytes', key))).toString()).toBe('bytes');
  });
});

describe('the keys of two organizations', () => {
  const CODE = { code: 'ENCRYPTED_FIELD_DECRYPT_FAILED' };

  function keysOfAll() {
    const { vault, generate, clock } = setup();
    return createEncryptionKeys((organizationId, envScope) =>
      createKeyRing({
        ring: encryptionRing(organizationId, envScope),
        policy: ENCRYPTION_KEY_POLICY,
        store: memoryKeyRecords(),
        vault,
        generate,
        now: () => clock.now,
      }),
    );
  }

  it('open nothing that was encrypted for the other (D159)', async () => {
    const keys = keysOfAll();
    const [own] = (await keys.of(1, 'sandbox').jwks()).keys;
    await keys.of(2, 'sandbox').jwks();
    const value = encrypt('1234', own);
    expect(await keys.of(1, 'sandbox').decrypt(value)).toBe('1234');
    await expect(keys.of(2, 'sandbox').decrypt(value)).rejects.toMatchObject(CODE);
  });

  it('differ from one environment to the other, and links take either (D159)', async () => {
    const keys = keysOfAll();
    const [test] = (await keys.of(1, 'real_test').jwks()).keys;
    const value = encrypt('1234', test);
    await keys.of(1, 'production').jwks();
    await expect(keys.of(1, 'production').decrypt(value)).rejects.toMatchObject(CODE);
    expect(await keys.ofLinks(1).decrypt(value)).toBe('1234');
  });
});

it('makes RSA keys of 4096 bits (D58)', async () => {
  const key = await generateEncryptionKey();
  expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 4_096, publicExponent: 65_537n });
}, 60_000);

it('makes two keys at a time, and refuses more than those that may wait (D58)', async () => {
  const begun: ((key: KeyObject) => void)[] = [];
  const make = createKeyMaker(() => new Promise((resolve) => begun.push(resolve)));
  // The limiter begins each in a turn of its own.
  const asked = [make(), make()];
  await new Promise(setImmediate);
  expect(begun).toHaveLength(2);
  asked.push(...Array.from({ length: 80 }, make));
  const ends = Promise.allSettled(asked);
  await expect(asked.at(-1)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retryAfterSeconds: expect.any(Number) },
  });
  let made = 0;
  for (; begun.length > made; made += 1) {
    expect(begun.length - made).toBeLessThanOrEqual(2);
    begun[made]?.(currentRsaKey);
    await asked[made];
    // The next begins within the turn in which the last one has ended.
    await new Promise(setImmediate);
  }
  const statuses = (await ends).map(({ status }) => status);
  expect(made).toBe(66);
  expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(made);
  // Whoever asks later is served again.
  const later = make();
  await new Promise(setImmediate);
  begun[made]?.(currentRsaKey);
  expect(await later).toBe(currentRsaKey);
});
