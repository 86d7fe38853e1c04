import type { EnvScope } from '@changgu/contract';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import {
  type ClientPrincipal,
  type ConsolePrincipal,
  type LegacyKeyPrincipal,
  principalKey,
} from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';

/**
 * Which jobs a caller may access. People of the organization see all its environments.
 * @throws ServiceError POLICY_ENV_NOT_ALLOWED when the key is not for this environment
 */
export function jobAccess(
  principal: ClientPrincipal | ConsolePrincipal | LegacyKeyPrincipal,
  envScope: EnvScope,
): JobAccess {
  const { organizationId } = principal;
  if (principal.kind === 'legacy_api_key') {
    return { organizationId, envScope, submittedBy: principalKey(principal) };
  }
  if (principal.kind === 'console_user') return { organizationId, envScope, submittedBy: null };
  if (!principal.allowedEnvScopes.includes(envScope)) {
    throw new ServiceError('POLICY_ENV_NOT_ALLOWED');
  }
  return { organizationId, envScope, submittedBy: null, actions: principal.allowedActions };
}
