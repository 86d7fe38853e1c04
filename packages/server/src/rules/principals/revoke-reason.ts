import type { RevokedReason } from '@changgu/contract/schemas';
import { ServiceError } from '../service-error.ts';

export type AcceptedRevokeReason = Exclude<RevokedReason, 'superseded'>;

/**
 * The recorded reason for a revocation.
 * @throws ServiceError REVOKED_REASON_MISSING, REVOKED_REASON_FORBIDDEN
 */
export function acceptRevokeReason(
  kind: 'console_user' | 'admin_user',
  reason: string | null,
): AcceptedRevokeReason {
  if (kind === 'console_user') {
    if (reason === null || reason === 'user_request') return 'user_request';
  } else {
    if (reason === null) throw new ServiceError('REVOKED_REASON_MISSING');
    if (reason === 'admin_action' || reason === 'security_incident') return reason;
  }
  throw new ServiceError('REVOKED_REASON_FORBIDDEN');
}
