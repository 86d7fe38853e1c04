import { sandboxResult } from '../institutions/sandbox.ts';
import type { Outcome } from '../rules/endings/endings.ts';
import { CANCELED, failed, timedOut } from '../rules/endings/endings.ts';
import { parseSandboxOutcome } from '../rules/submission/sandbox-outcome.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import { sealResult } from './results.ts';
import type { RunControl, RunDependencies } from './run-dependencies.ts';
import { pause } from './timers.ts';

/** Plays a job without contacting anybody or decrypting anything (D62, D72, D73). */
export async function runSandbox(
  job: ClaimedJob,
  irreversible: boolean,
  dependencies: RunDependencies,
  control: RunControl,
): Promise<Outcome> {
  if (job.duplicateFields !== null) {
    return failed({ code: 'ENCRYPTED_FIELD_DUPLICATE', irreversible });
  }
  if (dependencies.sandboxDelayMs > 0)
    await pause(dependencies.timers, dependencies.sandboxDelayMs, control.signal);
  const asked = job.sandboxOutcome === null ? undefined : parseSandboxOutcome(job.sandboxOutcome);
  switch (asked?.status) {
    case 'FAILED':
      return failed({ code: asked.code ?? 'PROVIDER_UPSTREAM_ERROR', irreversible });
    case 'TIMEOUT':
      return timedOut(irreversible, asked.code ?? 'JOB_TIMEOUT');
    case 'CANCELED':
      return CANCELED;
    case undefined:
      return {
        status: 'SUCCEEDED',
        error: null,
        result: await sealResult(dependencies.vault, job, sandboxResult(job.params)),
        resultAsFile: false,
      };
  }
}
