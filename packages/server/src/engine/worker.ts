import { faultOf } from '../rules/endings/fault.ts';
import { logFailures } from '../rules/endings/separately.ts';
import type { Pool } from '../rules/lanes/pool.ts';
import type { Claim, ClaimedJob, ClaimInput } from '../store/queue/claims.ts';
import type { EngineStore } from '../store/queue/engine-scripts.ts';
import { type KnownWork, lasting, NOTHING_KNOWN } from '../store/queue/known-work.ts';
import type { Signal } from '../store/transactions/script.ts';
import { startHeartbeat } from './heartbeat.ts';
import { type HeldJob, hold, type Leasing } from './held-jobs.ts';
import type { RunJob } from './run.ts';
import type { EngineLog } from './run-dependencies.ts';
import type { Sweeper } from './sweeper.ts';
import { pause, repeat, singleFlight, type Timers } from './timers.ts';
import { createWaitingClaims, type WaitingClaims } from './waiting-claims.ts';

const SWEEP_MS = 1_000;
const TIDY_MS = 60_000;
/** How often to look for jobs that no signal announced, and for those of lost workers. */
const POLL_MS = 1_000;
/** So often a poll looks at all jobs again, whatever it knows. */
const POLLS_BETWEEN_FULL_LOOKS = 600;
/** After this long without a job or a signal a worker is idle, and its rounds take three times as long. */
const IDLE_AFTER_MS = 5_000;
const IDLE_FACTOR = 3;

/** How long a stopped run may take to write down how far it got. */
const GIVING_UP_MS = 2_000;

/** The store, which sends the signals. */
export interface SignalSource {
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Has claims that wait for jobs of the pool answered now. */
  recallClaims(pool: Pool): void;
}

export interface WorkerOptions {
  /** Unique to this start of the process. */
  readonly owner: string;
  readonly store: Pick<EngineStore, 'claim' | 'takeOver' | 'heartbeat' | 'release'>;
  readonly signals: SignalSource;
  readonly run: RunJob;
  readonly sweeper: Sweeper;
  readonly slots: Readonly<Record<Pool, number>>;
  readonly leaseMs: number;
  /** How long a stopping worker waits for running reads. */
  readonly shutdownMs: number;
  readonly timers: Timers;
  readonly log: EngineLog;
}

export interface Worker {
  /**
   * Stops claiming, gives reads some time and jobs past the point of no return until their deadline,
   * and leaves the rest to other workers.
   */
  stop(): Promise<void>;
  /** The number of jobs that it is running. */
  running(): Readonly<Record<Pool, number>>;
}

const POOLS: readonly Pool[] = ['real', 'sandbox'];

/** Starts claiming and running jobs, and sweeping. */
export function startWorker(options: WorkerOptions): Worker {
  const { owner, store, signals, leaseMs, timers, log } = options;
  const leasing: Leasing = { owner, leaseMs, timers };
  const jobs = runningJobs(options, leasing, fill);
  const stopping = new AbortController();
  const waiting = createWaitingClaims(store, (pool) => signals.recallClaims(pool));
  const claims = claimsOf(options, jobs, {
    stopping: stopping.signal,
    claimReady: waiting.claim,
    takeOver: async (input) => ({ jobs: await store.takeOver(input) }),
    again: (pool) => claimers[pool].call(),
  });
  const claimers = {
    real: singleFlight(quietly(log, () => claims.fill('real'))),
    sandbox: singleFlight(quietly(log, () => claims.fill('sandbox'))),
  };

  /** Now, or again after a claim under way, which is to wait for jobs no longer. */
  function fill(pool: Pool): void {
    waiting.recall(pool);
    claimers[pool].call();
  }

  /** Including jobs that no signal announced. */
  function claimAll(): void {
    for (const pool of POOLS) {
      claims.heardOf(pool, 0);
      fill(pool);
    }
  }

  let polls = 0;

  async function poll(): Promise<void> {
    polls += 1;
    if (polls % POLLS_BETWEEN_FULL_LOOKS === 0) claims.forget();
    claims.lookForLost();
    claimAll();
  }

  let heardAt = timers.monotonic();
  const isIdle = () => jobs.held.size === 0 && timers.monotonic() - heardAt > IDLE_AFTER_MS;

  function onSignal(signal: Signal): void {
    heardAt = timers.monotonic();
    if (signal.kind === 'ready') {
      claims.heardOf(signal.pool, signal.seq ?? 0);
      fill(signal.pool);
    } else if (signal.kind === 'changed') claimAll();
    else if (signal.kind === 'cancel') jobs.held.get(signal.jobId)?.stop('canceled');
    else if (signal.kind === 'finished') jobs.held.get(signal.jobId)?.stop('ended');
  }

  const unlisten = signals.onSignal(onSignal);
  const stopHeartbeat = startHeartbeat(jobs.held, store, leasing, log);
  const stopRounds = startRounds(options, { poll, isIdle, stopping: stopping.signal });

  return {
    async stop() {
      stopping.abort();
      POOLS.forEach(waiting.recall);
      // Store calls in progress end together with the jobs, whose time starts now.
      const quiet = Promise.all([stopRounds(), ...POOLS.map((pool) => claimers[pool].idle())]);
      await drain(options, jobs);
      await quiet;
      unlisten();
      await stopHeartbeat();
    },
    running: () => ({ real: jobs.inPool('real').length, sandbox: jobs.inPool('sandbox').length }),
  };
}

/** A failure is logged: the next round tries again. */
function quietly(
  log: EngineLog,
  work: () => Promise<void>,
  message = 'the worker cannot reach the job queue',
): () => Promise<void> {
  return () => work().catch((error: unknown) => logFailures(log, error, message));
}

interface Rounds {
  poll(): Promise<void>;
  isIdle(): boolean;
  readonly stopping: AbortSignal;
}

/** Polls and sweeps until the returned function stops it. */
function startRounds(
  { sweeper: { endDue, tidy }, timers, log }: WorkerOptions,
  { poll, isIdle, stopping }: Rounds,
): () => Promise<unknown> {
  const every = (ms: number, work: () => Promise<void>) =>
    repeat(timers, () => jittered(isIdle() ? ms * IDLE_FACTOR : ms), work);
  const sweep = (work: Sweeper['endDue']) =>
    quietly(log, () => work(stopping), 'a part of a sweep failed');
  const stops = [
    every(POLL_MS, quietly(log, poll)),
    every(SWEEP_MS, sweep(endDue)),
    every(TIDY_MS, sweep(tidy)),
  ];
  return () => Promise.all(stops.map((stop) => stop()));
}

/** The jobs that this worker holds a lease on, each with its run. */
interface RunningJobs {
  readonly held: ReadonlyMap<string, HeldJob>;
  readonly runs: ReadonlyMap<HeldJob, Promise<void>>;
  inPool(pool: Pool): readonly HeldJob[];
  start(jobs: readonly ClaimedJob[], leasedAt: number): void;
}

function runningJobs(
  { run, log }: WorkerOptions,
  leasing: Leasing,
  onFreeSlot: (pool: Pool) => void,
): RunningJobs {
  const held = new Map<string, HeldJob>();
  const runs = new Map<HeldJob, Promise<void>>();

  function startOne(job: ClaimedJob, leasedAt: number): void {
    const each = hold(job, leasedAt, leasing);
    // Its own lease had expired unnoticed, and it took its own job over.
    held.get(job.id)?.stop('lost');
    held.set(job.id, each);
    const ended = run(job, each)
      .catch((error: unknown) =>
        log.error({ jobId: job.id, fault: faultOf(error) }, 'a run failed unexpectedly'),
      )
      .finally(() => {
        each.drop();
        if (held.get(job.id) === each) held.delete(job.id);
        runs.delete(each);
        onFreeSlot(each.pool);
      });
    runs.set(each, ended);
  }

  return {
    held,
    runs,
    inPool: (pool) => [...held.values()].filter((each) => each.pool === pool),
    start(jobs, leasedAt) {
      for (const job of jobs) startOne(job, leasedAt);
    },
  };
}

type Taken = Pick<Claim, 'jobs' | 'waitedMs'>;

interface ClaimingOptions {
  readonly stopping: AbortSignal;
  readonly claimReady: WaitingClaims['claim'];
  readonly takeOver: (input: ClaimInput) => Promise<Taken>;
  readonly again: (pool: Pool) => void;
}

/** Fills the free slots of a pool, lost jobs before new ones. */
function claimsOf(
  { owner, store, slots, leaseMs, timers }: WorkerOptions,
  jobs: RunningJobs,
  { stopping, claimReady, takeOver, again }: ClaimingOptions,
) {
  const lookForLost = new Set<Pool>();
  /** No older job of the pool is ready. */
  const oldest: Record<Pool, number> = { real: 0, sandbox: 0 };
  const forgotten = new Set<Pool>();
  const since: Record<Pool, KnownWork> = { real: NOTHING_KNOWN, sandbox: NOTHING_KNOWN };

  function heardOf(pool: Pool, seq: number): void {
    oldest[pool] = Math.min(oldest[pool], seq);
  }

  async function claim(input: ClaimInput): Promise<Taken> {
    const from = oldest[input.pool];
    // A signal that arrives while the database is searching may have come too late for that search.
    oldest[input.pool] = Number.MAX_SAFE_INTEGER;
    let next = 0;
    try {
      const claimed = await claimReady({ ...input, from });
      ({ next } = claimed);
      if (claimed.more) again(input.pool);
      since[input.pool] = claimed.since ?? since[input.pool];
      return claimed;
    } finally {
      heardOf(input.pool, next);
    }
  }

  async function take(
    pool: Pool,
    from: (input: ClaimInput) => Promise<Taken>,
    known: KnownWork,
  ): Promise<void> {
    const mine = jobs.inPool(pool);
    const limit = slots[pool] - mine.length;
    if (stopping.aborted || limit <= 0) return;
    const askedAt = timers.monotonic();
    const sizes = { limit, slots: slots[pool], held: countByOrganization(mine) };
    const input = { owner, leaseMs, pool, ...sizes, since: known };
    const { jobs: claimed, waitedMs = 0 } = await from(input);
    if (!stopping.aborted) jobs.start(claimed, askedAt + waitedMs);
    else if (claimed.length > 0) await store.release({ owner, ids: claimed.map(({ id }) => id) });
  }

  return {
    async fill(pool: Pool): Promise<void> {
      const before = since[pool];
      const known = forgotten.delete(pool) ? NOTHING_KNOWN : before;
      // Should this take too long, the next search takes as known what was known before.
      const afterFailure = lasting(before);
      since[pool] = afterFailure;
      if (lookForLost.delete(pool)) await take(pool, takeOver, known);
      await take(pool, claim, known);
      if (since[pool] === afterFailure) since[pool] = before;
    },
    heardOf,
    /** The next search for everything takes nothing as known. */
    forget() {
      for (const pool of POOLS) forgotten.add(pool);
    },
    lookForLost() {
      for (const pool of POOLS) lookForLost.add(pool);
    },
  };
}

/**
 * Waits for reads as long as configured, then gives up those before the point of no return, and waits for the
 * rest until another worker's sweep may end them.
 */
async function drain(options: WorkerOptions, { held, runs }: RunningJobs): Promise<void> {
  const { owner, store, timers, shutdownMs, log } = options;
  const ended = (jobs: Iterable<HeldJob>) =>
    Promise.allSettled([...jobs].flatMap((each) => runs.get(each) ?? []));
  await within(timers, shutdownMs, ended(runs.keys()));
  const given = [...held.values()].filter((each) => !each.pastPoint());
  for (const each of given) each.stop('shutdown');
  await within(timers, GIVING_UP_MS, ended(given));
  if (given.length > 0) {
    const released = store.release({ owner, ids: given.map(({ job }) => job.id) });
    // Their leases expire on their own, a little later.
    await released.catch((error: unknown) =>
      log.warn({ fault: faultOf(error) }, 'the jobs of a stopping worker could not be released'),
    );
  }
  const last = Math.max(
    0,
    ...[...runs.keys()].map((each) => each.abandonedAt - timers.monotonic()),
  );
  await within(timers, last, ended(runs.keys()));
  for (const each of runs.keys()) each.stop('lost');
  await within(timers, GIVING_UP_MS, ended(runs.keys()));
}

/** Waits for something, but not longer than this. */
async function within(timers: Timers, ms: number, awaited: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([awaited, pause(timers, ms, over.signal).catch(() => {})]);
  over.abort();
}

function countByOrganization(jobs: readonly HeldJob[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const { job } of jobs) {
    counts.set(job.organizationId, (counts.get(job.organizationId) ?? 0) + 1);
  }
  return [...counts];
}

/** Randomized so that several processes do not sweep in step. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
