import { faultOf } from '../../failures/fault.ts';
import type { Pool } from '../../rules/claiming/pool.ts';
import type { ClaimedJob } from '../../store/queue/claims.ts';
import { type HeldJob, hold, type Leasing } from '../held-jobs.ts';
import type { RunJob } from '../run.ts';
import type { EngineLog } from '../run-dependencies.ts';

/** The jobs that this worker holds a lease on, each with its run. */
export interface RunningJobs {
  readonly held: ReadonlyMap<string, HeldJob>;
  readonly runs: ReadonlyMap<HeldJob, Promise<void>>;
  inPool(pool: Pool): readonly HeldJob[];
  start(jobs: readonly ClaimedJob[], leasedAt: number): void;
}

export function createRunningJobs(
  { run, log }: { readonly run: RunJob; readonly log: EngineLog },
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
