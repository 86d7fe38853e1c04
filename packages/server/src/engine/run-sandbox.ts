import { sandboxResult } from '../institutions/sandbox.ts';
import { CANCELED, failed, SUCCEEDED, timedOut } from '../rules/endings/endings.ts';
import { parseSandboxOutcome } from '../rules/submission/sandbox-outcome.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import { pause } from '../timers.ts';
import {
  type Ending,
  endingWith,
  type RunControl,
  type RunDependencies,
} from './run-dependencies.ts';

/** Simulates a job without contacting an institution or decrypting anything. */
export async function runSandbox(
  job: ClaimedJob,
  irreversible: boolean,
  dependencies: Pick<RunDependencies, 'sandboxDelayMs' | 'timers'>,
  control: RunControl,
): Promise<Ending> {
  if (job.duplicateFields !== null) {
    return endingWith(failed({ code: 'ENCRYPTED_FIELD_DUPLICATE', irreversible }));
  }
  if (dependencies.sandboxDelayMs > 0)
    await pause(dependencies.timers, dependencies.sandboxDelayMs, control.signal);
  const asked = job.sandboxOutcome === null ? undefined : parseSandboxOutcome(job.sandboxOutcome);
  switch (asked?.status) {
    case 'FAILED':
      return endingWith(failed({ code: asked.code ?? 'PROVIDER_UPSTREAM_ERROR', irreversible }));
    case 'TIMEOUT':
      return endingWith(timedOut(irreversible, asked.code ?? 'JOB_TIMEOUT'));
    case 'CANCELED':
      return endingWith(CANCELED);
    case undefined:
      return { ...endingWith(SUCCEEDED), result: sandboxResult(job.params) };
  }
}
