import type { UnlinkReason } from '@changgu/contract/schemas';
import type { Principal } from '../principals/principal.ts';
import { ServiceError } from '../service-error.ts';

/**
 * The reason an unlink is recorded with; null is `user_request` (R93). Users may say only that, an
 * admin only the other two (D105).
 * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL
 */
export function acceptUnlinkReason(
  kind: Principal['kind'],
  reason: UnlinkReason | null,
): UnlinkReason {
  const byAdmin = kind === 'admin_user';
  // The specification gives null one meaning for everybody.
  if (reason === null) return 'user_request';
  if ((reason === 'user_request') === byAdmin) throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  return reason;
}
