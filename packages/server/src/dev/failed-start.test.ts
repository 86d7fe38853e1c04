import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config/server-config.ts';
import { createPostgresDatabase, type TestDatabase } from '../store/testing/describe-stores.ts';
import { runOnPostgres } from '../store/testing/run-on-postgres.ts';
import { startDev } from './start-dev.ts';

const PATIENT = { timeout: 60_000 };
const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };

let database: TestDatabase;
let dataDir: string;
let holder: pg.Client;
let env: Readonly<Record<string, string>>;

beforeEach(async () => {
  database = await createPostgresDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'changgu-failed-start-'));
  holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  env = {
    CHANGGU_DATABASE_URL: database.url,
    // One and a half seconds for a statement, less for a lock.
    CHANGGU_LEASE_SECONDS: '6',
    CHANGGU_LOG_LEVEL: 'silent',
  };
}, 30_000);

afterEach(async () => {
  await holder.end();
  await database.remove();
  await rm(dataDir, { recursive: true });
});

/** What waits for this table is answered that the service is unavailable. */
async function hold(table: string): Promise<void> {
  await holder.query('begin');
  await holder.query(`lock table ${table} in access exclusive mode`);
}

/** A connection that stays open keeps its process alive. */
async function expectNothingOpen(): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(
        await runOnPostgres(
          database.url,
          `select query from pg_stat_activity
           where datname = current_database() and application_name = 'changgu'`,
        ),
      ).toEqual([]),
    { timeout: 5_000 },
  );
}

async function startDevHere() {
  return startDev(await readConfig('dev', env, { port: 0, dataDir }), {
    simulators: false,
    fresh: false,
  });
}

describe('a start that fails while the database is busy closes what it opened', () => {
  it('before dev has its demo organization', PATIENT, async () => {
    await hold('admins');
    await expect(startDevHere()).rejects.toMatchObject(UNAVAILABLE);
    await expectNothingOpen();
  });

  it('after dev began to listen', PATIENT, async () => {
    await (await startDevHere()).close();
    await hold('admins');
    await expect(startDevHere()).rejects.toMatchObject(UNAVAILABLE);
    await expectNothingOpen();
  });
});
