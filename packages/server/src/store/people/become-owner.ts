import type { OrganizationRole } from '@changgu/contract';
import { ServiceError } from '../../rules/service-error.ts';
import type { Transaction } from '../transactions/script.ts';

/**
 * Whoever asks for deletion and becomes owner afterwards would take the organization along, which only an
 * owner may ask for.
 * @param from the role in the same organization so far; null for who comes from another
 * @throws ServiceError CONFLICT_STATE
 */
export async function assertMayBecome(
  tx: Transaction,
  userId: number,
  from: OrganizationRole | null,
  to: OrganizationRole,
): Promise<void> {
  if (to !== 'OWNER' || from === 'OWNER') return;
  const asked = await tx.db
    .selectFrom('deletion_requests')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  if (asked !== undefined) throw new ServiceError('CONFLICT_STATE', { message: DELETION_ASKED });
}

const DELETION_ASKED = {
  ko: '탈퇴를 신청한 계정은 소유자가 될 수 없습니다. 먼저 탈퇴 신청을 철회해야 합니다.',
  en: 'An account whose deletion was requested cannot become owner. Its user must withdraw the request first.',
};
