import type { Pool } from '../../rules/claiming/pool.ts';
import type { Claim, ClaimInput } from '../../store/queue/claims.ts';
import type { EngineStore } from '../../store/queue/engine-scripts.ts';
import { type KnownWork, lasting, NOTHING_KNOWN } from '../../store/queue/known-work.ts';
import type { Timers } from '../../timers.ts';
import type { HeldJob } from '../held-jobs.ts';
import type { RunningJobs } from './running-jobs.ts';
import type { WaitingClaims } from './waiting-claims.ts';

export const POOLS: readonly Pool[] = ['real', 'sandbox'];

/** After so many polls, the next claim looks at all jobs again. */
const POLLS_BETWEEN_FULL_CLAIMS = 600;

type Taken = Pick<Claim, 'jobs' | 'waitedMs'>;

export interface ClaimingOptions {
  readonly owner: string;
  readonly store: Pick<EngineStore, 'takeOver' | 'release'>;
  readonly slots: Readonly<Record<Pool, number>>;
  readonly leaseMs: number;
  readonly timers: Timers;
  readonly jobs: RunningJobs;
  readonly stopping: AbortSignal;
  readonly claimReady: WaitingClaims['claim'];
  readonly again: (pool: Pool) => void;
}

/** How a worker finds its jobs. */
export interface Claiming {
  /** Fills the free slots of a pool, lost jobs before new ones. */
  fill(pool: Pool): Promise<void>;
  /** A job of the pool is ready, perhaps older than all known. */
  heardOf(pool: Pool, seq: number): void;
  /** The next search looks for the jobs of lost workers too, and at times at all jobs, whatever is known. */
  poll(): void;
}

export function createClaiming(options: ClaimingOptions): Claiming {
  const { store, claimReady, again } = options;
  /** Whose next search looks for the jobs of lost workers first. */
  const mayHaveLost = new Set<Pool>();
  /** No older job of the pool is ready. */
  const oldest: Record<Pool, number> = { real: 0, sandbox: 0 };
  /** Whose next search takes nothing as known. */
  const forgotten = new Set<Pool>();
  let polls = 0;
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

  return {
    async fill(pool: Pool): Promise<void> {
      const before = since[pool];
      const known = forgotten.delete(pool) ? NOTHING_KNOWN : before;
      // Should this take too long, the next search takes as known what was known before.
      const afterFailure = lasting(before);
      since[pool] = afterFailure;
      if (mayHaveLost.delete(pool)) {
        await take(options, pool, async (input) => ({ jobs: await store.takeOver(input) }), known);
      }
      await take(options, pool, claim, known);
      if (since[pool] === afterFailure) since[pool] = before;
    },
    heardOf,
    poll() {
      polls += 1;
      for (const pool of POOLS) {
        mayHaveLost.add(pool);
        if (polls % POLLS_BETWEEN_FULL_CLAIMS === 0) forgotten.add(pool);
      }
    },
  };
}

/** Fills the free slots of the pool with what `from` finds. */
async function take(
  { owner, store, slots, leaseMs, timers, jobs, stopping }: ClaimingOptions,
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

function countByOrganization(jobs: readonly HeldJob[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const { job } of jobs) {
    counts.set(job.organizationId, (counts.get(job.organizationId) ?? 0) + 1);
  }
  return [...counts];
}
