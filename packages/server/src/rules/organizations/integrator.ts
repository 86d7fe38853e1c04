import type { RequestDecision } from '@changgu/contract/schemas';
import { ServiceError } from '../service-error.ts';

/** A handoff token lives ten minutes. */
export const HANDOFF_SECONDS = 600;

export interface HandoffState {
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

/**
 * An approved application creates one token. Only an expired, unused one can be replaced: it gave no one a key
 * from it, and otherwise the applicant could never get one.
 * @throws ServiceError CONFLICT_STATE
 */
export function assertMayMint(
  status: 'SUBMITTED' | RequestDecision,
  last: HandoffState | null,
  now: number,
): void {
  const open = last !== null && (last.usedAt !== null || now < last.expiresAt);
  if (status !== 'APPROVED' || open) throw new ServiceError('CONFLICT_STATE');
}

/** @throws ServiceError HANDOFF_TOKEN_INVALID, the same for unknown, used and expired */
export function assertRedeemable(
  token: HandoffState | undefined,
  now: number,
): asserts token is HandoffState {
  if (token === undefined || token.usedAt !== null || now >= token.expiresAt) {
    throw new ServiceError('HANDOFF_TOKEN_INVALID');
  }
}
