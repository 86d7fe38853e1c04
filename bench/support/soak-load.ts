import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { ServiceError } from '../../packages/server/src/rules/service-error.ts';
import type { Database } from '../../packages/server/src/store/schema/tables.ts';
import { holdSnapshot } from '../../packages/server/src/store/testing/pages.ts';
import { end } from './children.ts';
import { type EngineBench, openEngineBench } from './engine-bench.ts';
import { startEngineWorker } from './engine-process.ts';
import { count } from './verdict.ts';

const LINKS = 200;
const WORKERS = 2;
const SUBMITTERS = 32;
/** Submitters wait while more jobs than this are unclaimed. */
const BACKLOG = 400;
const WINDOWS = 6;
const WARM_UP_SECONDS = 5;

export interface SoakWindow {
  readonly 'jobs/s': number;
  readonly 'dead tuples': number;
  /** Of all updates: claims and ends change what indexes hold, so only heartbeats can be HOT. */
  readonly 'HOT share, all updates': number;
  readonly 'table, MB': number;
  readonly 'indexes, MB': number;
}

export interface Soak {
  readonly windows: readonly SoakWindow[];
  /** Submissions that were refused with 503 and sent again. */
  readonly refused: number;
  /** Jobs per second in the last window as a share of those in the first. */
  readonly ratio: number;
}

/** Submits and runs jobs while a snapshot is held, and examines the table at the end of each window. */
export async function soak(url: string, seconds: number): Promise<Soak> {
  const bench = await openEngineBench(url, LINKS);
  const forgotten = await holdSnapshot(url);
  const env = { CHANGGU_DATABASE_URL: url, CHANGGU_LEASE_SECONDS: '3', BENCH_RUN_MS: '20' };
  let claimed = 0;
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startEngineWorker(env)));
  for (const worker of workers) {
    worker.on('message', () => {
      claimed += 1;
    });
  }
  const load = submitUntilStopped(bench, () => claimed);
  await pause(WARM_UP_SECONDS * 1_000);
  const windows: SoakWindow[] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    const before = claimed;
    const began = performance.now();
    await pause((seconds * 1_000) / WINDOWS);
    const perSecond = (claimed - before) / ((performance.now() - began) / 1_000);
    windows.push({ 'jobs/s': Math.round(perSecond), ...(await tableOf(bench.db)) });
  }
  const refused = await load.stop();
  await bench.allEnded();
  for (const worker of workers) await end(worker, 'SIGTERM');
  await forgotten.end();
  await bench.close();
  const [first, last] = [windows[0]?.['jobs/s'] ?? 0, windows.at(-1)?.['jobs/s'] ?? 0];
  return { windows, refused, ratio: last / first };
}

function submitUntilStopped(bench: EngineBench, claimed: () => number) {
  let submitted = 0;
  let refused = 0;
  let stopped = false;
  const submitting = async () => {
    while (!stopped) {
      if (submitted - claimed() > BACKLOG) await pause(2);
      else await accept(submitted++);
    }
  };
  // A caller sends a refused submission again, under the same key.
  const accept = async (order: number): Promise<void> => {
    for (;;) {
      try {
        await bench.submit(order);
        return;
      } catch (error) {
        if (!(error instanceof ServiceError && error.status === 503)) throw error;
        refused += 1;
        await pause(1_000);
      }
    }
  };
  const all = Promise.all(Array.from({ length: SUBMITTERS }, submitting));
  return {
    /** Returns how often a submission was refused, and sent again. */
    async stop(): Promise<number> {
      stopped = true;
      await all;
      return refused;
    },
  };
}

async function tableOf(db: Kysely<Database>): Promise<Omit<SoakWindow, 'jobs/s'>> {
  const stat = (column: string) =>
    count(db, sql`select ${sql.ref(column)} as n from pg_stat_user_tables where relname = 'jobs'`);
  const megabytes = async (size: string) =>
    Math.round((await count(db, sql`select ${sql.raw(size)}('jobs') as n`)) / 1_048_576);
  return {
    'dead tuples': await stat('n_dead_tup'),
    'HOT share, all updates': Number(
      ((await stat('n_tup_hot_upd')) / (await stat('n_tup_upd'))).toFixed(2),
    ),
    'table, MB': await megabytes('pg_table_size'),
    'indexes, MB': await megabytes('pg_indexes_size'),
  };
}
