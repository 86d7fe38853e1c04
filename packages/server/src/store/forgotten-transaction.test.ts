import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimScripts } from './queue/claims.ts';
import { type KnownRuns, type KnownWork, NOTHING_KNOWN } from './queue/known-work.ts';
import { leaseScripts } from './queue/leases.ts';
import { chooseReady } from './queue/ready/ready-jobs.ts';
import { runScripts } from './queue/runs.ts';
import { sweepScripts } from './queue/sweeps.ts';
import type { Database } from './schema/tables.ts';
import { submit } from './submission/accept-submission.ts';
import { readStoredBytes } from './submission/stored-bytes.ts';
import { openBehindTheStore } from './testing/behind-the-store.ts';
import { createPostgresDatabase, type TestDatabase } from './testing/describe-stores.ts';
import { insertLink, insertOrganization, SUCCEEDED, submissionOf } from './testing/job-world.ts';
import {
  type CountedScripts,
  connect,
  countPages,
  holdSnapshot,
  stopAutovacuum,
} from './testing/pages.ts';

const JOBS = 200;
const OWNER = 'w';
const LEASE_MS = 30_000;
const SLOTS = { pool: 'real' as const, limit: 4, slots: 100, held: [] };
const RESULT = Buffer.alloc(100);

/** The pages that each step of one job touches. */
type Pages = Record<
  'submit' | 'claim' | 'heartbeat' | 'finish' | 'poll' | 'sweep' | 'takeOver',
  number
>;

describe('a queue whose dead rows cannot be removed', () => {
  let database: TestDatabase;
  let db: Kysely<Database>;
  let forgotten: pg.Client;
  let counted: CountedScripts;
  let before: Pages;
  let after: Pages;
  let readBefore: number;
  let readAfter: number;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    db = openBehindTheStore(database.url);
    await sql`set synchronous_commit = off`.execute(db);
    await stopAutovacuum(db);
    counted = countPages(db);
    await counted.setTime(Date.now());
    const link = await linkOf(db);
    const run = jobRunner(counted, link);
    // One of so many transactions sums up by chance: here none does, or a step would now and then touch more.
    const sums = `hashtextextended('stored-bytes:${link.organizationId}', 0)`;
    const other = await connect(database.url);
    await other.query(`select pg_advisory_lock(${sums})`);
    const sumUp = () => sql`select sum_stored_bytes(${link.organizationId})`.execute(db);
    // Plans and catalogs are read, and the first pages filled.
    for (let n = 0; n < 10; n += 1) await run();
    await sumUp();
    before = await run('measured');
    readBefore = await pagesOfStoredBytes(counted, link);
    forgotten = await holdSnapshot(database.url);
    for (let n = 0; n < JOBS; n += 1) await run();
    await sumUp();
    after = await run('measured');
    await other.end();
    await sql.raw(CHANGE_RESULTS).execute(db);
    await sumUp();
    readAfter = await pagesOfStoredBytes(counted, link);
  }, 120_000);
  afterAll(async () => {
    await forgotten?.end();
    await db?.destroy();
    await database?.remove();
  });

  it.each([
    ['accepts a job', 'submit'],
    ['claims one', 'claim'],
    ['renews a lease', 'heartbeat'],
    ['ends one and promotes the next', 'finish'],
    ['looks for ready jobs that no signal announced', 'poll'],
    ['looks for overdue and lost jobs', 'sweep'],
    ['takes lost jobs over', 'takeOver'],
  ] as const)('%s at the cost of a new queue', (_, step) => {
    // A version that does not fit into its page touches all indexes; steps that step over dead rows touch hundreds.
    expect(after[step]).toBeLessThan(1.5 * before[step] + 40);
  });

  it('reads what an organization stores at the cost of a new queue', () => {
    // A sum leaves a dead version, and how many there were is chance; stepping over all would touch thousands.
    expect(readAfter).toBeLessThan(readBefore + 40);
  });
});

/** Each change of a result is a transaction. */
const CHANGE_RESULTS = `do $$ begin
  for n in 1..3000 loop
    update jobs set result = case octet_length(result) when 100 then '\\x00' else decode(repeat('00', 100), 'hex') end
    where seq = (select min(seq) from jobs);
    commit;
  end loop;
end $$`;

async function pagesOfStoredBytes(
  { run, pages }: CountedScripts,
  { organizationId }: { readonly organizationId: number },
): Promise<number> {
  const read = () => run((tx) => readStoredBytes(tx, organizationId));
  await read();
  const before = await pages();
  await read();
  return (await pages()) - before;
}

async function linkOf(db: Kysely<Database>) {
  const organizationId = await insertOrganization(db);
  return { organizationId, linkId: await insertLink(db, organizationId) };
}

/** Runs one job of a lane in which another one always waits. */
function jobRunner(
  { run, pages, setTime }: CountedScripts,
  link: { readonly organizationId: number; readonly linkId: string },
): (measured?: 'measured') => Promise<Pages> {
  let from = 0;
  let since: KnownWork = NOTHING_KNOWN;
  let runs: KnownRuns = NOTHING_KNOWN;
  let time = Date.now();
  let first = true;
  const accept = () => run((tx) => submit.together?.(tx, [submissionOf(link)]) ?? Promise.reject());
  return async (measured) => {
    if (first) await accept();
    first = false;
    time += 1_000;
    await setTime(time);
    let last = measured ? await pages() : 0;
    const passed = async () => {
      if (!measured) return 0;
      const now = await pages();
      const touched = now - last;
      last = now;
      return touched;
    };
    await accept();
    const submitted = await passed();
    const claim = await run((tx) =>
      claimScripts.claim.run(tx, { ...SLOTS, owner: OWNER, leaseMs: LEASE_MS, from }),
    );
    from = claim.next;
    const claimed = await passed();
    const [job] = claim.jobs;
    if (job === undefined) throw new Error('nothing was claimed');
    const held = { owner: OWNER, ids: [job.id], leaseMs: LEASE_MS };
    await run((tx) => leaseScripts.heartbeat.run(tx, held));
    const renewed = await passed();
    const end = { ...job, owner: OWNER, outcome: { ...SUCCEEDED, result: RESULT } };
    const nothing = { artifacts: [], steps: [], suspension: null };
    await run(
      (tx) => runScripts.finish.together?.(tx, [{ ...end, ...nothing }]) ?? Promise.reject(),
    );
    const finished = await passed();
    const choice = await run((tx) => chooseReady(tx, { ...SLOTS, from: 0, since }));
    since = choice.since ?? since;
    const polled = await passed();
    const due = await run((tx) => sweepScripts.findDue.run(tx, { leaseMs: LEASE_MS, known: runs }));
    runs = due.known;
    const swept = await passed();
    await run((tx) =>
      claimScripts.takeOver.run(tx, { ...SLOTS, owner: OWNER, leaseMs: LEASE_MS, since }),
    );
    return {
      submit: submitted,
      claim: claimed,
      heartbeat: renewed,
      finish: finished,
      poll: polled,
      sweep: swept,
      takeOver: await passed(),
    };
  };
}
