import type { RequestDecision } from '@changgu/contract/schemas';
import { ServiceError } from '../service-error.ts';

/** A handoff token lives ten minutes. */
export const HANDOFF_SECONDS = 600;

export interface HandoffState {
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

/**
 * An approved application creates one token, which is not replaced when it expires: an exchange at that moment
 * could then give a second key. A new application gives a new one.
 * @throws ServiceError CONFLICT_STATE
 */
export function assertMayMint(status: 'SUBMITTED' | RequestDecision, isMinted: boolean): void {
  if (status !== 'APPROVED' || isMinted) throw new ServiceError('CONFLICT_STATE');
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
