import type { EndState, ErrorCode } from '@changgu/contract';
import { isErrorCode } from '@changgu/contract/errors';
import { invalidValue } from '../service-error.ts';

/** The requested outcome of a sandbox job. */
export interface SandboxOutcome {
  readonly status: Exclude<EndState, 'SUCCEEDED'>;
  readonly code: ErrorCode | null;
}

const FORM = /^(FAILED|TIMEOUT|CANCELED)(?:\s*;\s*code=([A-Z0-9_]+))?$/;

/**
 * Reads `X-Sandbox-Outcome: FAILED;code=PROVIDER_UPSTREAM_ERROR`.
 * A code on CANCELED is dropped: such a job has no error.
 * @throws ServiceError 400 for another state or an unknown code
 */
export function parseSandboxOutcome(header: string): SandboxOutcome {
  const [, status, code] = FORM.exec(header.trim()) ?? [];
  const known = code === undefined || isErrorCode(code);
  if ((status !== 'FAILED' && status !== 'TIMEOUT' && status !== 'CANCELED') || !known) {
    throw refused();
  }
  return { status, code: status === 'CANCELED' ? null : (code ?? null) };
}

/** The form stored in the job's row. */
export function formatSandboxOutcome({ status, code }: SandboxOutcome): string {
  return code === null ? status : `${status};code=${code}`;
}

function refused() {
  return invalidValue([
    {
      loc: ['header', 'X-Sandbox-Outcome'],
      msg: 'Value should be FAILED, TIMEOUT or CANCELED, perhaps with ;code=<error code>',
      type: 'value_error',
    },
  ]);
}
