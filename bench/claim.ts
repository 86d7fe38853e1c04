/**
 * Claim (design "Budgets"): claiming costs the same whatever is queued: 1,000 jobs or 1,000,000, on
 * 200 links or 100,000 of them on one.
 * Run: node --conditions=@changgu/source bench/claim.ts [largest]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyJob } from '../packages/server/src/store/testing/bulk-jobs.ts';
import { openEngineBench } from './support/engine-bench.ts';
import { startPostgres } from './support/postgres.ts';

const LANES = 200;
const CLAIMED = 10;
const CLAIMS = 80;
const largest = Number(process.argv[2] ?? 1_000_000);

interface Backlog {
  readonly name: string;
  readonly jobs: number;
  /** All but the head of each lane stand in one lane. */
  readonly hot: boolean;
}

const BACKLOGS: readonly Backlog[] = [
  { name: '1,000 on 200 links', jobs: 1_000, hot: false },
  { name: '100,000 on 200 links', jobs: 100_000, hot: false },
  { name: '100,000 on one link', jobs: 100_000, hot: true },
  { name: `${largest.toLocaleString('en')} on 200 links`, jobs: largest, hot: false },
];

/** Median milliseconds of claiming ten jobs; each is finished, so that its lane goes on. */
async function measure(url: string, { jobs, hot }: Backlog): Promise<number> {
  const bench = await openEngineBench(url, 1);
  const { engine, dialect } = bench.core.store;
  await bench.db.deleteFrom('jobs').execute();
  const id = await bench.submit(0);
  const lanes = hot ? { lanes: 1, perLane: jobs } : { lanes: LANES, perLane: jobs / LANES };
  await copyJob(bench.db, dialect, { id, tag: 'backlog', ...lanes });
  // So that ten are ready beside the hot one.
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
    const claimed = await engine.claim({ ...claim, held: [] });
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
  await bench.close();
  return took.sort((a, b) => a - b)[Math.floor(CLAIMS / 2)] ?? Number.NaN;
}

async function measureAll(name: string, url: string): Promise<void> {
  const table: Record<string, { 'claim of 10, ms': number; 'against 1,000': number }> = {};
  let floor = 0;
  for (const backlog of BACKLOGS) {
    const ms = await measure(url, backlog);
    floor ||= ms;
    table[backlog.name] = {
      'claim of 10, ms': Number(ms.toFixed(2)),
      'against 1,000': Number((ms / floor).toFixed(2)),
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
