import { ServiceError } from '../service-error.ts';

/** From request to execution: seven days in which it can be withdrawn (D90). */
export const DELETION_DELAY_MS = 7 * 86_400_000;

export type DeletionStatus = 'PENDING' | 'CANCELED' | 'EXECUTED';

/**
 * Withdrawing twice answers the same; an executed deletion stays (D90).
 * @throws ServiceError CONFLICT_STATE
 */
export function withdrawalChanges(status: DeletionStatus): boolean {
  if (status === 'EXECUTED') throw new ServiceError('CONFLICT_STATE');
  return status === 'PENDING';
}

/** The organization goes with its last owner (D146). */
export function deletesOrganization(
  memberId: number,
  members: readonly { readonly userId: number; readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' }[],
): boolean {
  return !members.some(({ userId, role }) => role === 'OWNER' && userId !== memberId);
}
