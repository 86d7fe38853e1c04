import type { ClaimedJob } from '../store/queue/claims.ts';
import { failureOutcome } from './failure-outcome.ts';
import { createProgressWriter } from './progress-writer.ts';
import {
  type Ending,
  endingWith,
  type RunControl,
  type RunDependencies,
} from './run-dependencies.ts';
import { runReal } from './run-real.ts';
import { runSandbox } from './run-sandbox.ts';
import { pause } from './timers.ts';

/** Waits between attempts to write an end that the store could not take. */
const WRITE_AGAIN_MS = 500;

/** Runs one claimed job to its end, and writes that end while the job is still this worker's. */
export type RunJob = (job: ClaimedJob, control: RunControl) => Promise<void>;

export function createRunner(dependencies: RunDependencies): RunJob {
  return async (job, control) => {
    const progress = createProgressWriter(
      { id: job.id, owner: control.owner },
      dependencies.store,
      dependencies.timers,
      () => control.stop('lost'),
    );
    const ending = await endingOf(job, dependencies, control, progress);
    const steps = await progress.close();
    if (ending === null || control.lease.aborted) return;
    const artifacts = (await ending.artifacts?.seal()) ?? [];
    await persist(dependencies, control, () =>
      dependencies.store.finish({
        id: job.id,
        owner: control.owner,
        lane: job.lane,
        organizationId: job.organizationId,
        outcome: ending.outcome,
        suspension: ending.suspension,
        artifacts,
        steps,
      }),
    );
  };
}

async function endingOf(
  job: ClaimedJob,
  dependencies: RunDependencies,
  control: RunControl,
  progress: ReturnType<typeof createProgressWriter>,
): Promise<Ending | null> {
  const action = dependencies.actions.get(job.action);
  const irreversible = action?.irreversible ?? false;
  try {
    if (job.envScope === 'sandbox') {
      return endingWith(await runSandbox(job, irreversible, dependencies, control));
    }
    if (action === undefined) throw new Error(`the catalogue has no action ${job.action}`);
    return await runReal({ job, envScope: job.envScope, action, dependencies, control, progress });
  } catch (error) {
    // Thrown around the connector: by the store, by the vault, or by a stop while playing sandbox.
    const outcome = failureOutcome(control.signal.aborted ? control.signal.reason : error, {
      irreversible,
      pastPoint: control.pastPoint(),
    });
    if (!control.signal.aborted) {
      dependencies.log.error(
        { jobId: job.id, action: job.action, err: error },
        'a job could not be run',
      );
    }
    return outcome && endingWith(outcome);
  }
}

/** A store that is away for a moment must not cost a result: tries until the lease is lost. */
async function persist(
  dependencies: RunDependencies,
  control: RunControl,
  write: () => Promise<boolean>,
): Promise<void> {
  while (!control.lease.aborted) {
    try {
      await write();
      return;
    } catch (error) {
      dependencies.log.warn({ err: error }, 'the end of a job could not be written, trying again');
      await pause(dependencies.timers, WRITE_AGAIN_MS, control.lease).catch(() => {});
    }
  }
}
