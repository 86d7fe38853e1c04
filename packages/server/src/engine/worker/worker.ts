import { logFailures } from '../../failures/separately.ts';
import type { Pool } from '../../rules/claiming/pool.ts';
import type { EngineStore } from '../../store/queue/engine-scripts.ts';
import type { Signal } from '../../store/transactions/script.ts';
import { repeat, singleFlight, type Timers } from '../../timers.ts';
import type { Leasing } from '../held-jobs.ts';
import type { RunJob } from '../run.ts';
import type { EngineLog } from '../run-dependencies.ts';
import type { Sweeper } from '../sweeper.ts';
import { createClaiming, POOLS } from './claiming.ts';
import { drain } from './drain.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createRunningJobs } from './running-jobs.ts';
import { createWaitingClaims } from './waiting-claims.ts';

const SWEEP_MS = 1_000;
const TIDY_MS = 60_000;
/** How often to look for jobs that no signal announced, and for those of lost workers. */
const POLL_MS = 1_000;
/** After this long without a job or a signal a worker is idle, and its rounds take three times as long. */
const IDLE_AFTER_MS = 5_000;
const IDLE_FACTOR = 3;

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

/** Starts claiming and running jobs, and sweeping. */
export function startWorker(options: WorkerOptions): Worker {
  const { owner, store, signals, leaseMs, timers, log } = options;
  const leasing: Leasing = { owner, leaseMs, timers };
  const jobs = createRunningJobs(options, leasing, fill);
  const stopping = new AbortController();
  const waiting = createWaitingClaims(store, (pool) => signals.recallClaims(pool));
  const claims = createClaiming({
    ...options,
    jobs,
    stopping: stopping.signal,
    claimReady: waiting.claim,
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

  async function poll(): Promise<void> {
    claims.poll();
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

/** Randomized so that several processes do not sweep in step. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
