import {
  type EnvScope,
  type EventType,
  ORGANIZATION_ROLES,
  type OrganizationRole,
} from '@changgu/contract';
import { ServiceError } from '../service-error.ts';

/** The reader of events. */
export type EventReader =
  | { readonly kind: 'client'; readonly allowedEnvScopes: readonly EnvScope[] }
  | { readonly kind: 'console_user'; readonly role: OrganizationRole };

export interface EventFilter {
  readonly type?: readonly EventType[];
  readonly env_scope?: EnvScope;
  readonly job_id?: string;
  readonly account_link_id?: string;
}

/** The parts of an event that decide who may see it. */
export interface EventFacts {
  readonly type: EventType;
  readonly envScope: EnvScope | null;
  readonly jobId: string | null;
  readonly accountLinkId: string | null;
}

/** Members and payments concern an organization's administrators only. */
const OF_ADMINISTRATION = /^(member|key|invoice|webhook)\./;

export function isOfAdministration(type: EventType): boolean {
  return OF_ADMINISTRATION.test(type);
}

/**
 * Which events a reader may see.
 * @throws ServiceError POLICY_ENV_NOT_ALLOWED when a key asks for an environment that it does not have
 */
export function eventAccess(
  reader: EventReader,
  filter: EventFilter,
): (event: EventFacts) => boolean {
  const { type: types, env_scope: envScope, job_id: jobId, account_link_id: linkId } = filter;
  if (reader.kind === 'client' && envScope && !reader.allowedEnvScopes.includes(envScope)) {
    throw new ServiceError('POLICY_ENV_NOT_ALLOWED');
  }
  return (event) =>
    mayRead(reader, event) &&
    (types === undefined || types.includes(event.type)) &&
    (envScope === undefined || event.envScope === envScope) &&
    (jobId === undefined || event.jobId === jobId) &&
    (linkId === undefined || event.accountLinkId === linkId);
}

function mayRead(reader: EventReader, { type, envScope }: EventFacts): boolean {
  if (reader.kind === 'console_user') {
    return !isOfAdministration(type) || isAdministrator(reader.role);
  }
  if (isOfAdministration(type)) return false;
  return envScope === null || reader.allowedEnvScopes.includes(envScope);
}

function isAdministrator(role: OrganizationRole): boolean {
  return ORGANIZATION_ROLES.indexOf(role) >= ORGANIZATION_ROLES.indexOf('ADMIN');
}
