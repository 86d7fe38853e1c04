import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import {
  devMasterKeyFile,
  openMasterKeySource,
  rotateMasterKeyFile,
} from '../master-keys/master-key-source.ts';
import { maintainKeys } from './maintain-keys.ts';

const DAY_MS = 86_400_000;

it('lets go of a master key that was rotated away, and of keys past their time (D58, D64)', async () => {
  const devDataDir = await mkdtemp(join(tmpdir(), 'changgu-keys-'));
  const masterKeys = await openMasterKeySource({ devDataDir, createDevKey: true });
  const [first] = masterKeys.keys();
  for (let rotations = 0; rotations < 2; rotations += 1) {
    await rotateMasterKeyFile(devMasterKeyFile(devDataDir));
  }
  const signingRing = { maintain: vi.fn<() => Promise<void>>() };
  const receiptRing = { maintain: vi.fn<() => Promise<void>>() };
  const expireEncryption = vi.fn(async () => 0);
  const purge = vi.fn(async () => false);
  const store = { ringKeys: { expireEncryption }, boundCiphertexts: { purge } };
  const encryptionKeys = { forget: vi.fn<() => void>() };
  const clock = { realNow: () => 100 * DAY_MS };
  await maintainKeys({ masterKeys, signingRing, receiptRing, encryptionKeys, clock, store });
  expect(masterKeys.keys().map(({ id }) => id)).not.toContain(first.id);
  expect(signingRing.maintain).toHaveBeenCalledOnce();
  expect(receiptRing.maintain).toHaveBeenCalledOnce();
  expect(encryptionKeys.forget).toHaveBeenCalledOnce();
  // By the database's clock, which wrote when they expire.
  expect(purge).toHaveBeenCalledExactlyOnceWith();
  expect(expireEncryption).toHaveBeenCalledWith({
    now: 100 * DAY_MS,
    retireMadeBefore: 10 * DAY_MS,
    destroyRetiredBefore: 93 * DAY_MS,
  });
  await rm(devDataDir, { recursive: true });
});

it('forgets encryption keys although the master keys cannot be read, and names all that failed (D58)', async () => {
  const purged = [true, true, false];
  const encryptionKeys = { forget: vi.fn<() => void>() };
  const failing = (message: string) => async () => {
    throw new Error(message);
  };
  const maintained = maintainKeys({
    masterKeys: { reload: failing('no file') },
    signingRing: { maintain: async () => {} },
    receiptRing: { maintain: failing('no ring') },
    encryptionKeys,
    clock: { realNow: () => 100 * DAY_MS },
    store: {
      ringKeys: { expireEncryption: async () => 0 },
      boundCiphertexts: { purge: async () => purged.shift() ?? false },
    },
  });
  await expect(maintained).rejects.toMatchObject({
    failures: [{ part: 'master keys' }, { part: 'receipt keys' }],
  });
  expect(encryptionKeys.forget).toHaveBeenCalledOnce();
  expect(purged).toEqual([]);
});
