import { type Pool, poolOf } from '../rules/claiming/pool.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import type { Timers } from '../timers.ts';
import { JobStopped, keepsLease, type StopReason } from './job-stopped.ts';
import type { RunControl } from './run-dependencies.ts';

/** As a fraction of the lease: a job is given up after this long without a successful heartbeat. */
const TRUSTED_SHARE = 2 / 3;

/** A job that this worker runs. */
export interface HeldJob extends RunControl {
  readonly job: ClaimedJob;
  readonly pool: Pool;
  /** The last moment at which its lease was certainly ours, on the monotonic clock. */
  leasedAt: number;
  /** From this moment on any worker's sweep may end it (monotonic clock). */
  readonly abandonedAt: number;
  /** Cancels its deadline timer. */
  drop(): void;
}

export interface Leasing {
  readonly owner: string;
  readonly leaseMs: number;
  readonly timers: Timers;
}

/** @param leasedAt a monotonic time before the claim was sent */
export function hold(job: ClaimedJob, leasedAt: number, leasing: Leasing): HeldJob {
  const { owner, leaseMs, timers } = leasing;
  const connector = new AbortController();
  const lease = new AbortController();
  let past = false;

  function stop(reason: StopReason): void {
    const stopped = new JobStopped(reason);
    connector.abort(stopped);
    if (!keepsLease(reason)) lease.abort(stopped);
  }

  let cancel = timers.after(job.remainingMs, () => {
    if (!past) return stop('deadline');
    // Past the point of no return its owner may finish it until a sweep ends it, one lease later.
    cancel = timers.after(leaseMs * TRUSTED_SHARE, () => stop('deadline'));
  });

  const deadlineAt = timers.monotonic() + job.remainingMs;

  return {
    job,
    pool: poolOf(job.envScope),
    owner,
    leasedAt,
    abandonedAt: deadlineAt + leaseMs,
    signal: connector.signal,
    lease: lease.signal,
    stop,
    timeLeft: () => Math.max(0, deadlineAt - timers.monotonic()),
    passedPoint() {
      past = true;
    },
    pastPoint: () => past,
    drop: () => cancel(),
  };
}

/** Whether it has gone so long without a heartbeat that another worker may soon run it. */
export function isDoubtful(held: HeldJob, now: number, leaseMs: number): boolean {
  return !held.pastPoint() && now - held.leasedAt >= leaseMs * TRUSTED_SHARE;
}
