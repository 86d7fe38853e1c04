import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../database.ts';
import { createPostgresDatabase, describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';

const JOBS = 300;

describeStores('an upgrade, process by process', (stores) => {
  let world: JobWorld;
  let organizationId: number;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
  });

  /** What the next version does to the database, told by its migration. */
  async function migrateToNext(name: string, kind: 'additive' | 'breaking'): Promise<void> {
    await stores.execute('insert into migrations (name, applied_at) values (?, 1)', [name]);
    if (kind === 'breaking') return;
    await stores.execute('insert into additive_migrations (name) values (?)', [name]);
    await stores.execute('alter table jobs add column of_next_version text');
    await stores.execute('create index jobs_of_next_version on jobs (of_next_version)');
  }

  const accepted: string[] = [];

  async function submitUntil(count: number): Promise<void> {
    const submitting = async () => {
      while (accepted.length < count) accepted.push(await world.submit({ organizationId }));
    };
    await Promise.all(Array.from({ length: 4 }, submitting));
  }

  async function endJobs({ engine }: Store, owner: string, until: () => boolean): Promise<void> {
    while (!until()) {
      for (const job of (await engine.claim({ ...CLAIM, owner })).jobs) {
        await engine.finish({ ...job, ...ENDED, owner });
      }
    }
  }

  async function unfinished(): Promise<number> {
    const rows = await stores.execute("select id from jobs where status <> 'SUCCEEDED'");
    return rows.length;
  }

  it('loses nothing while the old version runs on and starts again beside the new one', async () => {
    let over = false;
    const running = endJobs(world.store, 'old', () => over);
    await submitUntil(JOBS / 3);
    const upgraded = migrateToNext('9001-of-next-version', 'additive');
    await submitUntil((JOBS * 2) / 3);
    await upgraded;
    const restarted = endJobs(await stores.open(), 'old, restarted', () => over);
    await submitUntil(JOBS);
    while ((await unfinished()) > 0) await world.store.ping();
    over = true;
    await Promise.all([running, restarted]);
    expect(new Set(accepted).size).toBeGreaterThanOrEqual(JOBS);
    const ids = await stores.execute('select id from jobs');
    expect(new Set(ids.map(({ id }) => id))).toEqual(new Set(accepted));
  }, 60_000);

  it('keeps the old version out when the new one did more than add', async () => {
    await migrateToNext('9002-renames', 'breaking');
    await expect(stores.open()).rejects.toThrow('9002-renames');
  });
});

describe('an upgrade beside a forgotten transaction (postgres)', () => {
  it('gives up, says why and changes nothing, so that others can go on reading', async () => {
    const database = await createPostgresDatabase();
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(`alter table breakers drop column asked_until;
      delete from additive_migrations where name = '0165-asked-to-wait';
      delete from migrations where name = '0165-asked-to-wait'`);
    await client.query('begin; lock table breakers in access share mode');
    const options = { url: database.url, answerMs: 500 };
    await expect(openStore(options)).rejects.toThrow('another transaction holds a table');
    await client.query('commit');
    const store = await openStore({ url: database.url });
    expect((await client.query('select asked_until from breakers')).rows).toEqual([]);
    await store.close();
    await client.end();
    await database.remove();
  });
});

const CLAIM = {
  leaseMs: 60_000,
  pool: 'real' as const,
  limit: 10,
  slots: 100,
  held: [],
};

const ENDED = {
  outcome: { status: 'SUCCEEDED' as const, error: null, result: null, resultAsFile: false },
  artifacts: [],
  steps: [],
  suspension: null,
};
