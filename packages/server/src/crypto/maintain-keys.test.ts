import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { maintainKeys } from './maintain-keys.ts';
import { devMasterKeyFile, openMasterKeySource, rotateMasterKeyFile } from './master-key-source.ts';

it('a running server drops a master key that was rotated away (D58, D64)', async () => {
  const devDataDir = await mkdtemp(join(tmpdir(), 'changgu-keys-'));
  const masterKeys = await openMasterKeySource({ devDataDir });
  const [first] = masterKeys.keys();
  for (let rotations = 0; rotations < 2; rotations += 1) {
    await rotateMasterKeyFile(devMasterKeyFile(devDataDir));
  }
  const ring = () => ({ maintain: vi.fn<() => Promise<void>>() });
  const rings = { encryptionRing: ring(), signingRing: ring() };
  await maintainKeys({ masterKeys, ...rings });
  expect(masterKeys.keys().map(({ id }) => id)).not.toContain(first.id);
  expect(rings.encryptionRing.maintain).toHaveBeenCalledOnce();
  expect(rings.signingRing.maintain).toHaveBeenCalledOnce();
  await rm(devDataDir, { recursive: true });
});
