import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { readConfig } from './config/server-config.ts';
import { openCoreBeside } from './core.ts';
import { MasterKeyError } from './crypto/master-keys/master-key.ts';
import { createPostgresDatabase, type TestDatabase } from './store/testing/describe-stores.ts';

let directory: string;
let database: TestDatabase;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'changgu-core-'));
  database = await createPostgresDatabase();
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await database.remove();
});

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

  it('opens PostgreSQL before a load that would keep it from hearing the answers in time', async () => {
    const config = await readConfig('dev', {
      CHANGGU_DATABASE_URL: database.url,
      CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      CHANGGU_LEASE_SECONDS: '3',
    });
    const cell = new Int32Array(new SharedArrayBuffer(4));
    // Longer than a quarter of the lease, which is how long PostgreSQL may take to answer.
    const load = async () => Atomics.wait(cell, 0, 0, 1_000);
    const [core] = await openCoreBeside(config, { clock: systemClock }, load);
    await expect(core.store.ping()).resolves.toBeGreaterThan(0);
    await core.close();
  });

  it('gives up on PostgreSQL before a third of the lease has passed, so that no job loses it (D03)', async () => {
    const config = await readConfig('dev', {
      CHANGGU_DATABASE_URL: database.url,
      CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      CHANGGU_LEASE_SECONDS: '6',
    });
    const [core] = await openCoreBeside(config, { clock: systemClock }, async () => {});
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query(`create function slow() returns trigger language plpgsql
      as 'begin perform pg_sleep(2); return new; end';
      create trigger slow before insert on settings for each row execute function slow()`);
    await expect(core.store.clock.touch()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await other.query('drop trigger slow on settings; drop function slow()');
    await other.end();
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
