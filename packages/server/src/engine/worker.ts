import type { Pool } from '../rules/lanes/pool.ts';
import type { ClaimedJob, ClaimInput } from '../store/queue/claims.ts';
import type { EngineStore } from '../store/queue/engine-scripts.ts';
import type { Signal } from '../store/transactions/script.ts';
import { startHeartbeat } from './heartbeat.ts';
import { type HeldJob, hold, type Leasing } from './held-jobs.ts';
import type { RunJob } from './run.ts';
import type { EngineLog } from './run-dependencies.ts';
import type { Sweeper } from './sweeper.ts';
import { pause, repeat, singleFlight, type Timers } from './timers.ts';

const SWEEP_MS = 1_000;
const TIDY_MS = 60_000;
/** Jobs that no signal announced, and those of lost workers. */
const POLL_MS = 1_000;

/** Where signals come from: the store. */
export interface SignalSource {
  onSignal(listener: (signal: Signal) => void): () => void;
}

export interface WorkerOptions {
  /** Unique to this start of this process. */
  readonly owner: string;
  readonly store: Pick<EngineStore, 'claim' | 'takeOver' | 'heartbeat' | 'release'>;
  readonly signals: SignalSource;
  readonly run: RunJob;
  readonly sweeper: Sweeper;
  readonly slots: Readonly<Record<Pool, number>>;
  readonly leaseMs: number;
  /** How long a stopping worker waits for its reads (D03). */
  readonly shutdownMs: number;
  readonly timers: Timers;
  readonly log: EngineLog;
}

export interface Worker {
  /**
   * Claims no more, lets reads end for a while and jobs past the point of no return until their
   * deadline, and gives the rest up to other workers (D03).
   */
  stop(): Promise<void>;
  /** How many jobs it runs now. */
  running(): Readonly<Record<Pool, number>>;
}

const POOLS: readonly Pool[] = ['real', 'sandbox'];

/** Starts to claim and run jobs, and to sweep. */
export function startWorker(options: WorkerOptions): Worker {
  const { owner, store, signals, slots, leaseMs, timers, log } = options;
  const leasing: Leasing = { owner, leaseMs, timers };
  const held = new Map<string, HeldJob>();
  const runs = new Map<HeldJob, Promise<void>>();
  const lookForLost = new Set<Pool>();
  const quietly = (work: () => Promise<void>) => () => work().catch(failed);
  const claimers = {
    real: singleFlight(quietly(() => fill('real'))),
    sandbox: singleFlight(quietly(() => fill('sandbox'))),
  };
  let stopping = false;

  function failed(error: unknown): void {
    log.error({ err: error }, 'the worker could not reach its jobs');
  }

  function inPool(pool: Pool): HeldJob[] {
    return [...held.values()].filter((each) => each.pool === pool);
  }

  function start(jobs: readonly ClaimedJob[], leasedAt: number): void {
    for (const job of jobs) {
      const each = hold(job, leasedAt, leasing);
      held.set(job.id, each);
      const run = options
        .run(job, each)
        .catch((error: unknown) => log.error({ jobId: job.id, err: error }, 'a run broke'))
        .finally(() => {
          each.drop();
          if (held.get(job.id) === each) held.delete(job.id);
          runs.delete(each);
          claimers[each.pool].call();
        });
      runs.set(each, run);
    }
  }

  /** Fills the free slots of a pool: lost jobs before new ones. */
  async function fill(pool: Pool): Promise<void> {
    if (lookForLost.delete(pool)) await take(pool, store.takeOver);
    await take(pool, store.claim);
  }

  async function take(
    pool: Pool,
    from: (input: ClaimInput) => Promise<readonly ClaimedJob[]>,
  ): Promise<void> {
    const mine = inPool(pool);
    const limit = slots[pool] - mine.length;
    if (stopping || limit <= 0) return;
    const leasedAt = timers.monotonic();
    const sizes = { limit, slots: slots[pool], held: countByOrganization(mine) };
    start(await from({ owner, leaseMs, pool, ...sizes }), leasedAt);
  }

  function claimAll(): void {
    for (const pool of POOLS) claimers[pool].call();
  }

  async function poll(): Promise<void> {
    for (const pool of POOLS) lookForLost.add(pool);
    claimAll();
  }

  function onSignal(signal: Signal): void {
    if (signal.kind === 'ready') claimers[signal.pool].call();
    else if (signal.kind === 'changed') claimAll();
    else if (signal.kind === 'cancel') held.get(signal.jobId)?.stop('canceled');
    else if (signal.kind === 'finished') held.get(signal.jobId)?.stop('ended');
  }

  const unlisten = signals.onSignal(onSignal);
  const stopHeartbeat = startHeartbeat(held, store, leasing, log);
  const rounds = [
    repeat(timers, () => jittered(POLL_MS), poll),
    repeat(timers, () => jittered(SWEEP_MS), quietly(options.sweeper.endDue)),
    repeat(timers, () => jittered(TIDY_MS), quietly(options.sweeper.tidy)),
  ];

  async function drain(): Promise<void> {
    const ended = (jobs: Iterable<HeldJob>) =>
      Promise.allSettled([...jobs].flatMap((each) => runs.get(each) ?? []));
    const late = new AbortController();
    const patience = pause(timers, options.shutdownMs, late.signal).catch(() => {});
    await Promise.race([ended(runs.keys()), patience]);
    late.abort();
    const given = [...held.values()].filter((each) => !each.pastPoint());
    for (const each of given) each.stop('shutdown');
    await ended(given);
    await store.release({ owner, ids: given.map(({ job }) => job.id) });
    await ended(runs.keys());
  }

  return {
    async stop() {
      stopping = true;
      await Promise.all(rounds.map((stopRound) => stopRound()));
      await Promise.all(POOLS.map((pool) => claimers[pool].idle()));
      await quietly(drain)();
      unlisten();
      await stopHeartbeat();
    },
    running: () => ({ real: inPool('real').length, sandbox: inPool('sandbox').length }),
  };
}

function countByOrganization(jobs: readonly HeldJob[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const { job } of jobs) {
    counts.set(job.organizationId, (counts.get(job.organizationId) ?? 0) + 1);
  }
  return [...counts];
}

/** Several processes must not sweep in step. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
