import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import { currentRsaKey, previousRsaKey } from '../../test/fixtures/rsa-oaep/rsa-keys.ts';
import { memoryKeyRecords, memoryOrganizationKeys } from '../../test/memory-key-stores.ts';
import {
  createEncryptionKeys,
  ENCRYPTION_KEY_POLICY,
  type EncryptionJwk,
  generateEncryptionKey,
} from './encryption-keys.ts';
import { createKeyRing } from './key-ring.ts';
import { deriveMasterKey } from './master-key.ts';
import { fixedMasterKeys } from './master-key-source.ts';
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
  const open = () => {
    const ring = createKeyRing({
      ring: 'encryption_keys',
      policy: ENCRYPTION_KEY_POLICY,
      store,
      vault,
      generate,
      now: () => clock.now,
    });
    return { ring, keys: createEncryptionKeys(ring) };
  };
  return { clock, open };
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

  it('a value that is not text is read as bytes', async () => {
    const { keys } = setup().open();
    const [key] = (await keys.jwks()).keys;
    expect(Buffer.from(await keys.decryptBytes(encrypt('bytes', key))).toString()).toBe('bytes');
  });
});

it('makes RSA keys of 4096 bits (D58)', async () => {
  const key = await generateEncryptionKey();
  expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 4_096, publicExponent: 65_537n });
}, 60_000);
