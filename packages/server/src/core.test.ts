import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { readConfig } from './config/server-config.ts';
import { openCoreBeside } from './core.ts';
import { MasterKeyError } from './crypto/master-key.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'changgu-core-'));
});
afterAll(() => rm(directory, { recursive: true }));

function configOf(file: string, masterKey: Buffer) {
  return readConfig('dev', {
    CHANGGU_DATABASE_URL: `sqlite:${file}`,
    CHANGGU_MASTER_KEY: masterKey.toString('base64'),
  });
}

/** Occupies this thread, as loading a large program does. True when the file came to be meanwhile. */
function blocksUntilExists(file: string): boolean {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let n = 0; n < 2_000 && !existsSync(file); n++) Atomics.wait(cell, 0, 0, 5);
  return existsSync(file);
}

describe('starting', () => {
  it('opens the database while the rest of the program is loaded', async () => {
    const file = join(directory, 'beside.db');
    const config = await configOf(file, Buffer.alloc(32, 1));
    const load = async () => blocksUntilExists(file);
    const [core, opened] = await openCoreBeside(config, { clock: systemClock }, load);
    expect(opened).toBe(true);
    await core.store.ping();
    await core.close();
  });

  it('fails as opening fails, once', async () => {
    const file = join(directory, 'keyed.db');
    const options = { clock: systemClock };
    const first = await configOf(file, Buffer.alloc(32, 1));
    const [core] = await openCoreBeside(first, options, async () => {});
    await core.close();
    const load = vi.fn(async () => {});
    const other = await configOf(file, Buffer.alloc(32, 2));
    await expect(openCoreBeside(other, options, load)).rejects.toThrow(MasterKeyError);
    expect(load).toHaveBeenCalledOnce();
  });
});
