import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from './backends/postgres-calls.ts';
import { createConnections } from './backends/postgres-connections.ts';
import { claimScripts } from './queue/claims.ts';
import { type KnownRuns, NOTHING_KNOWN } from './queue/known-work.ts';
import { runScripts } from './queue/runs.ts';
import { sweepScripts } from './queue/sweeps.ts';
import type { Database } from './schema/tables.ts';
import { submit } from './submission/accept-submission.ts';
import { openBehindTheStore } from './testing/behind-the-store.ts';
import { copyEndedJob } from './testing/bulk-jobs.ts';
import { createPostgresDatabase, type TestDatabase } from './testing/describe-stores.ts';
import { insertLink, insertOrganization, SUCCEEDED, submissionOf } from './testing/job-world.ts';
import { countPages, holdSnapshot, stopAutovacuum } from './testing/pages.ts';
import { inIndexOrder, read } from './transactions/script.ts';

const DEAD = 5_000;
const LEASE_MS = 30_000;
const OWNER = 'w';

let database: TestDatabase;
let db: Kysely<Database>;
let forgotten: pg.Client;

beforeAll(async () => {
  database = await createPostgresDatabase();
  db = openBehindTheStore(database.url);
  await stopAutovacuum(db);
});
afterAll(async () => {
  await forgotten?.end();
  await db?.destroy();
  await database?.remove();
});

it('looks for overdue jobs behind the dead rows of earlier ones, whatever the statistics say', async () => {
  const { run, pages, setTime } = countPages(db);
  await setTime(Date.now());
  await copyEndedJob(db, { id: await endedJob(run), count: DEAD });
  forgotten = await holdSnapshot(database.url);
  await runCopies(db);
  // Counted while none runs: then any index of unfinished jobs looks as good as that of running ones.
  await sql`analyze jobs`.execute(db);
  const { findDue } = sweepScripts;
  let known: KnownRuns = NOTHING_KNOWN;
  const look = async () => {
    ({ known } = await run((tx) => findDue.run(tx, { leaseMs: LEASE_MS, known }), findDue));
  };
  await look();
  await look();
  const before = await pages();
  await look();
  expect((await pages()) - before).toBeLessThan(100);
});

it('keeps a read to the order of indexes where it asks for that, and no other', async () => {
  const connections = createConnections({
    url: database.url,
    requests: 1,
    engine: 1,
    answerMs: 10_000,
  });
  const caller = { connections, emit: () => {}, behindCommit: () => [], hedgeMs: 10_000 };
  const sorts = read(async (tx) => tx.run('show enable_sort', []));
  const name = { group: 'engine', script: 'sorts' };
  const [ordered, free] = [
    await call(caller, name, inIndexOrder(sorts), undefined),
    await call(caller, name, sorts, undefined),
  ];
  await connections.close();
  expect([ordered, free]).toEqual([[{ enable_sort: 'off' }], [{ enable_sort: 'on' }]]);
});

async function endedJob(run: ReturnType<typeof countPages>['run']): Promise<string> {
  const organizationId = await insertOrganization(db);
  const job = submissionOf({ organizationId, linkId: await insertLink(db, organizationId) });
  await run((tx) => submit.together?.(tx, [job]) ?? Promise.reject());
  const slots = { pool: 'real' as const, limit: 1, slots: 100, held: [] };
  const { jobs } = await run((tx) =>
    claimScripts.claim.run(tx, { ...slots, owner: OWNER, leaseMs: LEASE_MS, from: 0 }),
  );
  const [claimed] = jobs;
  if (claimed === undefined) throw new Error('nothing was claimed');
  const end = { ...claimed, owner: OWNER, outcome: SUCCEEDED };
  const nothing = { artifacts: [], steps: [], suspension: null };
  await run((tx) => runScripts.finish.together?.(tx, [{ ...end, ...nothing }]) ?? Promise.reject());
  return claimed.id;
}

/** The copies run and end, each at a time of its own. Their lanes take no turns. */
async function runCopies(behind: Kysely<Database>): Promise<void> {
  await sql`set session_replication_role = replica`.execute(behind);
  await sql`update jobs set status = 'RUNNING', finished_at = null, started_at = started_at - 60000 - seq,
    lease_owner = 'w', lease_until = 1, deadline_at = 1 where id like 'old-%'`.execute(behind);
  await sql`update jobs set status = 'SUCCEEDED', finished_at = started_at,
    lease_owner = null, lease_until = null where id like 'old-%'`.execute(behind);
  await sql`set session_replication_role = origin`.execute(behind);
}
