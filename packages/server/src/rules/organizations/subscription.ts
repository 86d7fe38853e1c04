import type { SubscriptionStatus } from '@changgu/contract/schemas';
import { KST_OFFSET_MS } from '../kst.ts';
import { ServiceError } from '../service-error.ts';

/** CANCELED and EXPIRED are final; a new subscription is a new row. */
const MOVES: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  ACTIVE: ['PAUSED', 'CANCELED', 'EXPIRED'],
  PAUSED: ['ACTIVE', 'CANCELED'],
  CANCELED: [],
  EXPIRED: [],
};

/** @throws ServiceError CONFLICT_STATE when the state change is not allowed */
export function assertMayMove(from: SubscriptionStatus, to: SubscriptionStatus): void {
  if (from !== to && !MOVES[from].includes(to)) throw new ServiceError('CONFLICT_STATE');
}

/**
 * The end of a period that begins at `start`: a month later in Korea, at the same time, on the day of the month on which
 * the first of its periods began (`anchor`), or on the last day of a month that is shorter.
 */
export function periodEnd(start: number, anchor = start): number {
  const at = new Date(start + KST_OFFSET_MS);
  const startDay = at.getUTCDate();
  const wanted = new Date(anchor + KST_OFFSET_MS).getUTCDate();
  // One that began on another day, as after an upgrade, goes by its own.
  const day = Math.min(wanted, lastDayOf(at)) === startDay ? wanted : startDay;
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + 1);
  at.setUTCDate(Math.min(day, lastDayOf(at)));
  return at.getTime() - KST_OFFSET_MS;
}

function lastDayOf(month: Date): number {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
}
