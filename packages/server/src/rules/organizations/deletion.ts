import type { OrganizationRole } from '@changgu/contract';
import { DAY_MS } from '../durations.ts';
import { ServiceError } from '../service-error.ts';

/** Seven days from request to execution, during which it can be withdrawn. */
export const DELETION_DELAY_MS = 7 * DAY_MS;

export type DeletionStatus = 'PENDING' | 'CANCELED' | 'EXECUTED';

/**
 * Withdrawing twice gives the same answer; an executed deletion cannot be withdrawn.
 * @throws ServiceError CONFLICT_STATE
 */
export function withdrawalChanges(status: DeletionStatus): boolean {
  if (status === 'EXECUTED') throw new ServiceError('CONFLICT_STATE');
  return status === 'PENDING';
}

/** Deleting its last owner closes the organization. */
export function deletesOrganization(
  memberId: number,
  members: readonly { readonly userId: number; readonly role: OrganizationRole }[],
): boolean {
  return !members.some(({ userId, role }) => role === 'OWNER' && userId !== memberId);
}
