import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineBench } from '../engine-bench.ts';
import { inParallel } from '../submissions.ts';
import { judge } from '../verdict.ts';

export const LEASE_MS = 3_000;
export const LINKS = 20;
const SUBMIT_MS = 4_000;
const AT_ONCE = 8;
const SETTLE_MS = 60_000;
/** How often the jobs are looked at: more often, the looking would take more of the processor than the jobs. */
const LOOK_MS = 100;
/** The longest that any step of a fault may take. */
export const LIMIT_SECONDS = 180;
/** Longer than any job can run. */
const DEADLINE_SECONDS = 1_000;

export interface Breaches {
  readonly lost: number;
  readonly twice: number;
  readonly 'lane overlaps': number;
  readonly stuck: number;
}

export interface FaultReport extends Breaches {
  readonly jobs: number;
  /** The longest time without a finished job, from the fault to the last submission. */
  readonly 'resumed after, s': number;
}

/** Spread over four seconds; each is sent again until it is answered. */
export async function submitSlowly(
  bench: EngineBench,
  jobs: number,
  accepted: (id: string) => void,
): Promise<void> {
  const orders = Array.from({ length: jobs }, (_, order) => order);
  await inParallel(orders, AT_ONCE, async (order) => {
    for (let id: string | null = null; id === null; ) {
      id = await bench.submit(order, 'irreversibly').catch(() => null);
      if (id !== null) accepted(id);
      await pause((SUBMIT_MS * AT_ONCE) / jobs);
    }
  });
}

/** The longest time, in seconds, without an increase of the count, until `over`. */
export async function longestPause(
  count: () => Promise<number>,
  over: Promise<unknown>,
): Promise<number> {
  let isOver = false;
  void over.finally(() => {
    isOver = true;
  });
  let [known, grewAt, longest] = [0, performance.now(), 0];
  while (!isOver) {
    const seen = await count().catch(() => 0);
    const now = performance.now();
    longest = Math.max(longest, now - grewAt);
    if (seen > known) [known, grewAt] = [seen, now];
    await pause(LOOK_MS);
  }
  return Number((longest / 1_000).toFixed(1));
}

/**
 * Waits for the end of all jobs, but not forever: what is left then is stuck. A job whose point-of-no-return mark
 * lost its answer waits for its deadline, which is brought forward.
 */
export async function settled({ db, core }: EngineBench): Promise<void> {
  const open = () =>
    db
      .selectFrom('jobs')
      .select(['status', 'submit_step_at'])
      .where('finished_at', 'is', null)
      .execute();
  const began = performance.now();
  for (let broughtForward = false; performance.now() - began < SETTLE_MS; ) {
    const jobs = await open().catch(() => null);
    if (jobs?.length === 0) return;
    const late = performance.now() - began > 3 * LEASE_MS;
    // Other jobs of its lane wait behind it.
    const running = jobs?.filter(({ status }) => status === 'RUNNING');
    if (!broughtForward && late && running?.every((job) => job.submit_step_at !== null)) {
      await core.store.clock.advance({ seconds: DEADLINE_SECONDS });
      broughtForward = true;
    }
    await pause(LOOK_MS);
  }
}

/** @param effects file with one line per irreversible effect */
export async function countBreaches(
  { db }: EngineBench,
  accepted: ReadonlySet<string>,
  effects: string,
): Promise<Breaches> {
  const jobs = await db.selectFrom('jobs').select('id').execute();
  const known = new Set(jobs.map(({ id }) => id));
  const orders = (await readFile(effects, 'utf8')).split('\n').filter(Boolean);
  const { overlaps, stuck } = await judge(db);
  return {
    lost: [...accepted].filter((id) => !known.has(id)).length,
    twice: orders.length - new Set(orders).size + (known.size - accepted.size),
    'lane overlaps': overlaps,
    stuck,
  };
}
