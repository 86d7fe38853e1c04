import type { Vault } from '../crypto/vault.ts';
import { faultOf } from '../failures/fault.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import type { FinishInput, NewArtifact, Step } from '../store/queue/runs.ts';
import { pause } from '../timers.ts';
import { failureOutcome } from './failure-outcome.ts';
import { sealResult } from './results.ts';
import {
  type Ending,
  endingWith,
  type RunControl,
  type RunDependencies,
  runOf,
} from './run-dependencies.ts';

/** Waits between attempts to write an end when the store is unavailable. */
const WRITE_AGAIN_MS = 500;

interface EndedRun {
  readonly job: ClaimedJob;
  readonly irreversible: boolean;
  readonly control: RunControl;
  readonly ending: Ending;
  /** Steps not yet written with a progress update. */
  readonly steps: readonly Step[];
}

interface SealedResult {
  readonly result: Uint8Array | null;
  readonly artifacts: readonly NewArtifact[];
}

/**
 * Seals and writes how a run ended. A short outage of the store must not cost a result, so this retries
 * until the lease is lost or a sweep has ended the job.
 */
export async function writeEnd(run: EndedRun, dependencies: RunDependencies): Promise<void> {
  const { job, control, irreversible } = run;
  let { ending } = run;
  let sealed: SealedResult | undefined;
  while (!control.lease.aborted) {
    try {
      sealed ??= await seal(job, ending, dependencies.vault);
      await dependencies.store.finish(finishInput(run, ending, sealed));
      return;
    } catch (error) {
      dependencies.log.warn(
        { jobId: job.id, fault: faultOf(error) },
        'failed to write the end of a job; retrying',
      );
      // What took effect is never reported as a failure. A read whose result cannot be sealed is.
      if (sealed === undefined && !control.pastPoint()) {
        const failure = failureOutcome(error, { irreversible, pastPoint: false });
        if (failure !== null) ending = endingWith(failure);
      }
      await pause(dependencies.timers, WRITE_AGAIN_MS, control.lease).catch(() => {});
    }
  }
}

async function seal(
  job: ClaimedJob,
  { result, artifacts }: Ending,
  vault: Pick<Vault, 'seal'>,
): Promise<SealedResult> {
  return {
    result: result === null ? null : await sealResult(vault, job, result),
    artifacts: (await artifacts?.seal()) ?? [],
  };
}

function finishInput(
  { job, control, steps }: EndedRun,
  { outcome, suspension }: Ending,
  { result, artifacts }: SealedResult,
): FinishInput {
  return {
    ...runOf(job, control),
    lane: job.lane,
    organizationId: job.organizationId,
    outcome: { ...outcome, result },
    suspension,
    artifacts,
    steps,
  };
}
