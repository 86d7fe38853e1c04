import type { EndState, ErrorCode } from '@changgu/contract';

/** Five upstream failures in a row within a minute open it for half a minute. */
const FAILURES = 5;
const WINDOW_MS = 60_000;
const OPEN_MS = 30_000;

/** The circuit breaker of one institution and environment. Times are business milliseconds. */
export interface Breaker {
  /** When its last jobs in a row failed, oldest first; at most five. */
  readonly failures: readonly number[];
  /** Set from opening to closing: until then nothing, afterwards one trial job at a time. */
  readonly openUntil: number | null;
  readonly trialJobId: string | null;
}

export const CLOSED: Breaker = { failures: [], openUntil: null, trialJobId: null };

/** What an ended job says about the institution it called; `unknown` when it may not have called it. */
export type Verdict = 'failed' | 'answered' | 'unknown';

const UPSTREAM_FAILURES: readonly string[] = [
  'PROVIDER_UPSTREAM_ERROR',
  'PROVIDER_MAINTENANCE',
] satisfies ErrorCode[];

export function verdictOf(status: EndState, code: string | undefined): Verdict {
  if (status === 'SUCCEEDED' || code === 'PROVIDER_VALIDATION_ERROR') return 'answered';
  return code !== undefined && UPSTREAM_FAILURES.includes(code) ? 'failed' : 'unknown';
}

/** The breaker after one of its institution's jobs ended. */
export function afterJob(
  breaker: Breaker,
  job: { readonly id: string; readonly verdict: Verdict; readonly at: number },
): Breaker {
  const wasTrial = breaker.trialJobId === job.id;
  if (job.verdict === 'answered') return CLOSED;
  if (job.verdict === 'unknown') return wasTrial ? { ...breaker, trialJobId: null } : breaker;

  const failures = [...breaker.failures, job.at].slice(-FAILURES);
  const first = failures.at(0) ?? job.at;
  const tooMany = failures.length === FAILURES && job.at - first <= WINDOW_MS;
  if (wasTrial || (tooMany && breaker.openUntil === null)) {
    return { failures, openUntil: job.at + OPEN_MS, trialJobId: null };
  }
  return { ...breaker, failures };
}

/** May the next waiting job be nominated as the trial? */
export function awaitsTrial(breaker: Breaker, now: number): boolean {
  return breaker.openUntil !== null && breaker.openUntil <= now && breaker.trialJobId === null;
}
