import { faultOf } from '../failures/fault.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import { failureOutcome } from './failure-outcome.ts';
import { createProgressWriter } from './progress-writer.ts';
import {
  type Ending,
  endingWith,
  type RunControl,
  type RunDependencies,
  runOf,
} from './run-dependencies.ts';
import { runReal } from './run-real.ts';
import { runSandbox } from './run-sandbox.ts';
import { writeEnd } from './write-end.ts';

/** Runs one claimed job to its end, and writes the end while this worker still owns the job. */
export type RunJob = (job: ClaimedJob, control: RunControl) => Promise<void>;

export function createRunner(dependencies: RunDependencies): RunJob {
  return async (job, control) => {
    const progress = createProgressWriter(
      runOf(job, control),
      dependencies.store,
      dependencies.timers,
      {
        lost: () => control.stop('lost'),
        failed: (error) =>
          dependencies.log.debug(
            { jobId: job.id, fault: faultOf(error) },
            'the progress of a job could not be written',
          ),
      },
    );
    const ending = await endingOf(job, dependencies, control, progress);
    const steps = await progress.close();
    if (ending === null || control.lease.aborted) return;
    const irreversible = dependencies.actions.get(job.action)?.irreversible ?? false;
    await writeEnd({ job, irreversible, control, ending, steps }, dependencies);
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
      return await runSandbox(job, irreversible, dependencies, control);
    }
    if (action === undefined) throw new Error(`the catalog has no action ${job.action}`);
    return await runReal({ job, envScope: job.envScope, action, dependencies, control, progress });
  } catch (error) {
    // Thrown outside the connector: by the store, or by a stop during a sandbox run.
    const outcome = failureOutcome(control.signal.aborted ? control.signal.reason : error, {
      irreversible,
      pastPoint: control.pastPoint(),
    });
    if (!control.signal.aborted) {
      dependencies.log.error(
        { jobId: job.id, action: job.action, fault: faultOf(error) },
        'failed to run a job',
      );
    }
    return outcome && endingWith(outcome);
  }
}
