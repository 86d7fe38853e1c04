import type { EnvScope } from '@changgu/contract';
import { ServiceError } from '../service-error.ts';

/** The access that an organization has been granted. */
export interface EnvironmentRights {
  /** PAID and ACTIVE. */
  readonly paid: boolean;
  readonly realTestApproved: boolean;
}

/**
 * The environments of a new key. The plan is checked before the approval.
 * @throws ServiceError POLICY_PAID_REQUIRED, POLICY_ENV_NOT_APPROVED
 */
export function acceptEnvScopes(
  requested: readonly EnvScope[] | null,
  rights: EnvironmentRights,
): readonly EnvScope[] {
  const scopes = requested ?? ['sandbox'];
  if (scopes.includes('production') && !rights.paid) throw new ServiceError('POLICY_PAID_REQUIRED');
  if (scopes.includes('real_test') && !rights.realTestApproved) {
    throw new ServiceError('POLICY_ENV_NOT_APPROVED');
  }
  return [...new Set(scopes)];
}
