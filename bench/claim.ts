/**
 * Claim: claiming costs the same whatever is queued: 1,000 jobs or 1,000,000, on
 * 200 links or 100,000 of them on one, also while an open breaker holds 20,000 heads back before them.
 * Run: node --conditions=@changgu/source bench/claim.ts [largest]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { copyJob } from '../packages/server/src/store/testing/bulk-jobs.ts';
import type { Dialect } from '../packages/server/src/store/transactions/script.ts';
import { type EngineBench, openEngineBench } from './support/engine-bench.ts';
import { startPostgres } from './support/postgres.ts';

const LANES = 200;
const CLAIMED = 10;
const CLAIMS = 80;
const largest = Number(process.argv[2] ?? 1_000_000);

interface Backlog {
  readonly name: string;
  readonly jobs: number;
  /** All jobs except the heads of lanes are in one lane. */
  readonly hot: boolean;
  /** Heads of an institution behind an open breaker, older than all others. */
  readonly heldBack?: number;
}

const BACKLOGS: readonly Backlog[] = [
  { name: '1,000 on 200 links', jobs: 1_000, hot: false },
  { name: '100,000 on 200 links', jobs: 100_000, hot: false },
  { name: '100,000 on one link', jobs: 100_000, hot: true },
  { name: '1,000, breaker open', jobs: 1_000, hot: false, heldBack: 1 },
  { name: '1,000 behind 20,000 held back', jobs: 1_000, hot: false, heldBack: 20_000 },
  { name: `${largest.toLocaleString('en')} on 200 links`, jobs: largest, hot: false },
];

/** Medians of claiming ten jobs; each is finished, so that its lane advances. */
async function measure(url: string, { jobs, hot, heldBack }: Backlog): Promise<Measured> {
  const bench = await openEngineBench(url, 1);
  const { engine } = bench.core.store;
  const dialect = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  await bench.db.deleteFrom('jobs').execute();
  // Or the first search for stalled lanes would step over every deleted job once.
  if (dialect === 'postgres') await sql`vacuum jobs`.execute(bench.db);
  await bench.db.deleteFrom('breakers').execute();
  const id = await bench.submit(0);
  if (heldBack !== undefined) await holdBack(bench.db, dialect, id, heldBack);
  const lanes = hot ? { lanes: 1, perLane: jobs } : { lanes: LANES, perLane: jobs / LANES };
  await copyJob(bench.db, dialect, { id, tag: 'backlog', ...lanes });
  // So that ten are ready besides the busy one.
  if (hot) await copyJob(bench.db, dialect, { id, tag: 'beside', lanes: LANES, perLane: 50 });
  const took: number[] = [];
  const claim = {
    owner: 'bench',
    leaseMs: 600_000,
    pool: 'real',
    limit: CLAIMED,
    slots: 32,
  } as const;
  for (let i = 0; i < CLAIMS; i += 1) {
    const began = performance.now();
    const { jobs: claimed } = await engine.claim({ ...claim, held: [] });
    took.push(performance.now() - began);
    if (claimed.length !== CLAIMED) throw new Error(`only ${claimed.length} could be claimed`);
    for (const job of claimed) {
      await engine.finish({
        id: job.id,
        owner: claim.owner,
        attempt: job.attempt,
        lane: job.lane,
        organizationId: job.organizationId,
        outcome: { status: 'SUCCEEDED', error: null, result: null, resultAsFile: false },
        artifacts: [],
        steps: [],
        suspension: null,
      });
    }
  }
  const pages: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const began = performance.now();
    after = (await engine.findStalledLanes({ after })).next;
    pages.push(performance.now() - began);
  }
  await bench.close();
  return { claim: median(took), page: median(pages) };
}

interface Measured {
  readonly claim: number;
  /** The search for stalled lanes: how long one call blocks the store. */
  readonly page: number;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Copies of a job at an institution whose breaker is open, each the head of a lane with one more. */
async function holdBack(
  db: EngineBench['db'],
  dialect: Dialect['name'],
  id: string,
  count: number,
): Promise<void> {
  const breaker = { provider: 'down', env_scope: 'real_test' as const, failures: '[]' };
  const open = { open_until: Number.MAX_SAFE_INTEGER, trial_job_id: null, last_code: null };
  await db
    .insertInto('breakers')
    .values({ ...breaker, ...open })
    .execute();
  const { provider } = await db
    .selectFrom('jobs')
    .select('provider')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db.updateTable('jobs').set({ provider: 'down' }).where('id', '=', id).execute();
  await copyJob(db, dialect, { id, tag: 'held', lanes: count, perLane: 2 });
  await db.updateTable('jobs').set({ provider }).where('id', '=', id).execute();
}

async function measureAll(name: string, url: string): Promise<void> {
  const table: Record<string, Record<string, number>> = {};
  let floor = 0;
  for (const backlog of BACKLOGS) {
    const { claim, page } = await measure(url, backlog);
    floor ||= claim;
    table[backlog.name] = {
      'claim of 10, ms': Number(claim.toFixed(2)),
      'against 1,000': Number((claim / floor).toFixed(2)),
      'stalled lanes, ms a call': Number(page.toFixed(2)),
    };
  }
  console.log(`${name} (goal ≤ 1.5)`);
  console.table(table);
}

const directory = await mkdtemp(join(tmpdir(), 'changgu-bench-'));
await measureAll('SQLite', `sqlite:${join(directory, 'changgu.db')}`);
await rm(directory, { recursive: true, force: true });
const postgres = await startPostgres();
await measureAll('PostgreSQL', postgres.url);
await postgres.close();
