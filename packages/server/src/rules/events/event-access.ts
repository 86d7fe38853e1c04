import type { EnvScope, EventType, OAuthScope, OrganizationRole } from '@changgu/contract';
import { idOrNone } from '../identity/account-id.ts';
import { matchesAction, matchesEverything, reachesProvider } from '../principals/allowed-action.ts';
import { isAdministrator } from '../principals/roles.ts';
import { ServiceError } from '../service-error.ts';

/** The reader of events. */
export type EventReader =
  | {
      readonly kind: 'client';
      readonly allowedEnvScopes: readonly EnvScope[];
      readonly allowedActions: readonly string[] | null;
      /** Null for keys that are not OAuth tokens. */
      readonly scopes: readonly OAuthScope[] | null;
    }
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
  readonly data: Readonly<Record<string, unknown>>;
}

/** Members and payments concern an organization's administrators only. */
const OF_ADMINISTRATION = /^(member|key|invoice|webhook)\./;

export function isOfAdministration(type: EventType): boolean {
  return OF_ADMINISTRATION.test(type);
}

function isOfLink(type: EventType): boolean {
  return type.startsWith('link.');
}

/**
 * Which events a reader may see.
 * @throws ServiceError POLICY_ENV_NOT_ALLOWED when a key asks for an environment that it does not have
 */
export function eventAccess(
  reader: EventReader,
  filter: EventFilter,
): (event: EventFacts) => boolean {
  const { type: types, env_scope: envScope, job_id: jobId } = filter;
  const linkId =
    filter.account_link_id === undefined ? undefined : idOrNone(filter.account_link_id);
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

function mayRead(reader: EventReader, event: EventFacts): boolean {
  const { type, envScope } = event;
  if (reader.kind === 'console_user') {
    return !isOfAdministration(type) || isAdministrator(reader.role);
  }
  if (isOfAdministration(type) || !reaches(reader.allowedActions, event)) return false;
  if (isOfLink(type) && reader.scopes?.includes('links:read') === false) return false;
  return envScope === null || reader.allowedEnvScopes.includes(envScope);
}

/** A key for some actions learns of no others; what does not say which action it belongs to may be any. */
function reaches(patterns: readonly string[] | null, { type, data }: EventFacts): boolean {
  if (matchesEverything(patterns) || !concernsActions(type)) return true;
  const { action, provider } = data;
  if (typeof action === 'string') return matchesAction(patterns, action);
  return typeof provider === 'string' && reachesProvider(patterns, provider);
}

/** Quotas belong to the organization as a whole. */
export function concernsActions(type: EventType): boolean {
  return type !== 'quota.low';
}
