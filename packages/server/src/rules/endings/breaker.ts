import type { EndState, ErrorCode } from '@changgu/contract';

/** Opened for half a minute by five upstream failures in a row within a minute. */
const FAILURES = 5;
const WINDOW_MS = 60_000;
const OPEN_MS = 30_000;
/** The most that it obeys a portal: the limit may be that of one account, so after this another one tries. */
const MAX_ASKED_MS = 10 * 60_000;

/** The circuit breaker of one institution and environment. Times are business milliseconds. */
export interface Breaker {
  /** When its latest consecutive jobs failed, oldest first; at most five. */
  readonly failures: readonly number[];
  /** Set while open: until then no job runs, afterwards one trial job at a time. */
  readonly openUntil: number | null;
  readonly trialJobId: string | null;
  /** Until when the institution asked to be left alone: no answer to a job that ran before ends it. */
  readonly askedUntil: number | null;
}

export const CLOSED: Breaker = {
  failures: [],
  openUntil: null,
  trialJobId: null,
  askedUntil: null,
};

/** What an ended job reveals about its institution; `unknown` when it may not have called it. */
export type Verdict = 'failed' | 'answered' | 'unknown';

const UPSTREAM_FAILURES: readonly string[] = [
  'PROVIDER_UPSTREAM_ERROR',
  'PROVIDER_MAINTENANCE',
] satisfies ErrorCode[];

export function verdictOf(status: EndState, code: string | undefined): Verdict {
  if (status === 'SUCCEEDED' || code === 'PROVIDER_VALIDATION_ERROR') return 'answered';
  return code !== undefined && UPSTREAM_FAILURES.includes(code) ? 'failed' : 'unknown';
}

export interface JudgedJob {
  readonly id: string;
  readonly verdict: Verdict;
  /** When it ended. */
  readonly at: number;
  /** In milliseconds: for how long the institution asked to be left alone. */
  readonly leaveAloneMs?: number | undefined;
}

/** The breaker after one of its institution's jobs ended. */
export function afterJob(breaker: Breaker, job: JudgedJob): Breaker {
  const judged = afterVerdict(breaker, job);
  if (job.leaveAloneMs === undefined) return judged;
  const asked = job.at + Math.min(job.leaveAloneMs, MAX_ASKED_MS);
  const askedUntil = Math.max(asked, judged.askedUntil ?? 0);
  const openUntil = Math.max(askedUntil, judged.openUntil ?? 0);
  return { ...judged, openUntil, askedUntil, trialJobId: null };
}

function afterVerdict(breaker: Breaker, job: JudgedJob): Breaker {
  const wasTrial = breaker.trialJobId === job.id;
  if (job.verdict === 'answered') {
    const { askedUntil } = breaker;
    const waits = askedUntil !== null && job.at < askedUntil;
    return waits ? { ...CLOSED, openUntil: askedUntil, askedUntil } : CLOSED;
  }
  if (job.verdict === 'unknown') return wasTrial ? { ...breaker, trialJobId: null } : breaker;

  const failures = [...breaker.failures, job.at].slice(-FAILURES);
  const first = failures.at(0) ?? job.at;
  const tooMany = failures.length === FAILURES && job.at - first <= WINDOW_MS;
  if (wasTrial || (tooMany && breaker.openUntil === null)) {
    return { ...breaker, failures, openUntil: job.at + OPEN_MS, trialJobId: null };
  }
  return { ...breaker, failures };
}

/** Whether the next waiting job may become the trial. */
export function awaitsTrial(breaker: Breaker, now: number): boolean {
  return breaker.openUntil !== null && breaker.openUntil <= now && breaker.trialJobId === null;
}
