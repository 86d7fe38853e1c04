import type { OrganizationRole } from '@changgu/contract';
import { ServiceError } from '../service-error.ts';

/**
 * An OWNER manages everyone, an ADMIN only MEMBERs.
 * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL
 */
export function assertMayManage(manager: OrganizationRole, managed: OrganizationRole): void {
  if (manager === 'OWNER' || (manager === 'ADMIN' && managed === 'MEMBER')) return;
  throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL', { message: ROLE_NEEDED });
}

const ROLE_NEEDED = {
  ko: 'ADMIN은 MEMBER만 관리할 수 있습니다. OWNER와 ADMIN은 OWNER가 관리합니다.',
  en: 'An ADMIN manages MEMBERs only. OWNERs and ADMINs are managed by an OWNER.',
};

/** @throws ServiceError CONFLICT_STATE when the organization would be left without an owner */
export function assertOwnerRemains(
  others: readonly { readonly role: OrganizationRole }[],
  becomes: OrganizationRole | null,
): void {
  if (becomes === 'OWNER' || others.some(({ role }) => role === 'OWNER')) return;
  throw new ServiceError('CONFLICT_STATE', { message: LAST_OWNER });
}

const LAST_OWNER = {
  ko: '마지막 OWNER입니다. 먼저 다른 구성원에게 소유권을 넘기십시오.',
  en: 'This is the last OWNER. Hand the organization over to another member first.',
};
