import type { PortalResponse } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';

/** How often a request is repeated after a portal's "too many requests". */
const MAX_REPEATS = 3;
/** In milliseconds, when the portal names no time. */
const DEFAULT_RETRY_AFTER = 3_000;

const MIN_MS = 1_000;
/** A longer wait is left to another job. */
const MAX_MS = 60_000;
/** What the rest of the job still needs after it has waited. */
const RESERVE_MS = 10_000;

/** A portal's wish to be left alone, read from an answer that says so. */
export interface Throttling {
  readonly ms: number;
  /** Whether the portal named the time itself. */
  readonly named: boolean;
}

/** Null when the failure is not about how often the portal was asked. */
export function throttlingOf(
  error: unknown,
  { status, header }: Pick<PortalResponse, 'status' | 'header'>,
  now: number,
): Throttling | null {
  if (!(error instanceof InstitutionError)) return null;
  // A date is by the portal's own clock.
  const sent = Date.parse(header('date') ?? '');
  const namedMs = retryAfterMs(
    header('retry-after')?.trim() ?? '',
    Number.isFinite(sent) ? sent : now,
  );
  const isThrottled = status === 429 || error.details.meaning === 'throttled';
  if (!isThrottled && !(status === 503 && namedMs !== null)) return null;
  return { ms: namedMs ?? DEFAULT_RETRY_AFTER, named: namedMs !== null };
}

function retryAfterMs(after: string, now: number): number | null {
  const asked = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now;
  return Number.isFinite(asked) ? Math.max(MIN_MS, asked) : null;
}

/** Whether the same job may wait and ask again. */
export function mayRepeat({ ms }: Throttling, repeats: number, timeLeft: number): boolean {
  return ms <= MAX_MS && repeats < MAX_REPEATS && ms + RESERVE_MS <= timeLeft;
}

/** The failure, with the wait that the next jobs owe the portal. */
export function leavingAlone(error: unknown, { ms, named }: Throttling): unknown {
  if (!named || !(error instanceof InstitutionError)) return error;
  const details = { ...error.details, transient: false, leaveAloneMs: ms };
  return new InstitutionError(error.code, { ...details, cause: error });
}
