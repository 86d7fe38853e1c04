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

/** The end of a period that begins at `start`: the same day and time `months` later, in Korea. */
export function periodEnd(start: number, months = 1): number {
  const at = new Date(start + KST_OFFSET_MS);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, lastDay));
  return at.getTime() - KST_OFFSET_MS;
}
