import type { Origin } from '../rules/principals/actor.ts';
import {
  type ClientPrincipal,
  type Principal,
  principalKey,
} from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Submitter } from '../rules/submission/submission.ts';

/** The client as the submitter of its jobs. */
export function submitterOf(principal: ClientPrincipal, origin: Origin): Submitter {
  return { ...principal, name: principalKey(principal), origin };
}

/**
 * As `submitterOf`; a legacy key may do whatever its environment allows.
 * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL for a person
 */
export function submitterOfKey(principal: Principal | null, origin: Origin): Submitter {
  if (principal?.kind === 'client') return submitterOf(principal, origin);
  if (principal?.kind !== 'legacy_api_key') throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  return {
    name: principalKey(principal),
    organizationId: principal.organizationId,
    allowedEnvScopes: [principal.envScope],
    readOnly: false,
    allowedActions: null,
    origin,
    scopes: null,
  };
}
