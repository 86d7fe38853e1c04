import type { DeliveryError, DeliveryKind } from '@changgu/contract';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each failed attempt the next one is made. */
export const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const;

/** Up to so much later, so that what failed together does not come back together. */
export const RETRY_JITTER = 0.2;

/** An endpoint that has failed for so long is switched off. */
export const MAX_FAILING_MS = 120 * HOUR;

const GONE = 410;

/** One attempt to deliver, as it ended. */
export interface Attempt {
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Null when the receiver took it. */
  readonly error: DeliveryError | null;
}

export interface AttemptedDelivery {
  readonly kind: DeliveryKind;
  /** This one included. */
  readonly attempts: number;
}

export type DeliveryVerdict =
  | { readonly status: 'SUCCEEDED' | 'FAILED' }
  | { readonly status: 'PENDING'; readonly delayMs: number };

/** What becomes of a delivery after an attempt. `random` is in [0, 1). */
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

/** What an attempt says about its endpoint. Tests and replays say nothing, and a lost event is our own fault. */
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
