import type { UnlinkReason } from '@changgu/contract';
import type { Principal } from '../principals/principal.ts';
import { ServiceError } from '../service-error.ts';

/**
 * The recorded reason for unlinking; null is `user_request`. Users may send only that one,
 * administrators only the other two.
 * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL
 */
export function acceptUnlinkReason(
  kind: Principal['kind'],
  reason: UnlinkReason | null,
): UnlinkReason {
  const byAdmin = kind === 'admin_user';
  // Null means the same for every caller.
  if (reason === null) return 'user_request';
  if ((reason === 'user_request') === byAdmin) throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  return reason;
}
