import type { DeliveryError, DeliveryKind } from '@changgu/contract';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays between attempts. */
export const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const;

/** Maximum random delay, so that simultaneous failures are not all retried at once. */
export const RETRY_JITTER = 0.2;

/** An endpoint that has failed for this long is disabled. */
export const MAX_FAILING_MS = 120 * HOUR;

const GONE = 410;

/** One finished attempt to deliver. */
export interface Attempt {
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Null when the receiver accepted it. */
  readonly error: DeliveryError | null;
}

export interface AttemptedDelivery {
  readonly kind: DeliveryKind;
  /** Including this one. */
  readonly attempts: number;
}

export type DeliveryVerdict =
  | { readonly status: 'SUCCEEDED' | 'FAILED' }
  | { readonly status: 'PENDING'; readonly delayMs: number };

/** What happens to a delivery after an attempt. `random` is in [0, 1). */
export function decideDelivery(
  { kind, attempts }: AttemptedDelivery,
  { error }: Pick<Attempt, 'error'>,
  random: number,
): DeliveryVerdict {
  if (error === null) return { status: 'SUCCEEDED' };
  const delay = RETRY_DELAYS_MS[attempts - 1];
  const isFinal = kind !== 'event' || error === 'EVENT_PURGED' || delay === undefined;
  if (isFinal) return { status: 'FAILED' };
  return { status: 'PENDING', delayMs: Math.round(delay * (1 + RETRY_JITTER * random)) };
}

export type EndpointVerdict =
  | 'healthy'
  | 'failing'
  | 'unchanged'
  | { readonly disable: 'gone' | 'failing' };

/** What an attempt reveals about its endpoint. Tests and replays reveal nothing, and a lost event is our own fault. */
export function decideEndpoint(
  kind: DeliveryKind,
  { status, error }: Attempt,
  { failingSince, now }: { readonly failingSince: number | null; readonly now: number },
): EndpointVerdict {
  if (kind !== 'event' || error === 'EVENT_PURGED') return 'unchanged';
  if (error === null) return failingSince === null ? 'unchanged' : 'healthy';
  if (status === GONE) return { disable: 'gone' };
  if (failingSince === null) return 'failing';
  return now - failingSince >= MAX_FAILING_MS ? { disable: 'failing' } : 'unchanged';
}
