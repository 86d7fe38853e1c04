import type { EnvScope, OAuthScope, OrganizationRole } from '@changgu/contract';
import canonicalize from 'canonicalize';
import type { Origin } from './actor.ts';

export type IntegrationProfile = 'standard_external' | 'desktop_agent';

/** Basic client credentials of an organization, with the rights of the key. */
export interface ClientPrincipal {
  readonly kind: 'client';
  /** `cli_` and a ULID. */
  readonly id: string;
  readonly organizationId: number;
  readonly allowedEnvScopes: readonly EnvScope[];
  readonly integrationProfile: IntegrationProfile;
  readonly readOnly: boolean;
  /** Patterns of action ids, or null for every action. */
  readonly allowedActions: readonly string[] | null;
  readonly allowIrreversibleTools: boolean;
  /** For its environments, and for events that it may read itself. */
  readonly manageWebhooks: boolean;
  /** The scopes of an OAuth token; null for a key, which may do everything that its kind may. */
  readonly scopes: readonly OAuthScope[] | null;
}

/** A console user of an organization; organization and role are read on each request. */
export interface ConsolePrincipal {
  readonly kind: 'console_user';
  readonly id: string;
  readonly userId: number;
  readonly organizationId: number;
  readonly role: OrganizationRole;
  /** Until this is done, nothing else is allowed. */
  readonly mustAddFactor: boolean;
  /** Of the password with which the session began; another one has ended it. */
  readonly passwordEpoch: number;
  /** Null for a token from before sessions existed. */
  readonly session: OpenSession | null;
}

/** The session of a console user's request. */
export interface OpenSession {
  readonly id: string;
  readonly expiresAt: number;
  /** What a writing request must send with its cookie; null when it was authenticated by a token. */
  readonly csrfToken: string | null;
  /** When an identity provider let the person in; null: the person has proven it here. */
  readonly vouched: 'just_now' | 'earlier' | null;
}

/** An operator. Belongs to no organization; X-Organization-Id may name one. */
export interface AdminPrincipal {
  readonly kind: 'admin_user';
  readonly id: string;
  readonly email: string;
}

/** An x-api-key, bound to one organization and one environment. */
export interface LegacyKeyPrincipal {
  readonly kind: 'legacy_api_key';
  readonly id: string;
  readonly organizationId: number;
  readonly envScope: EnvScope;
}

export type Principal = ClientPrincipal | ConsolePrincipal | AdminPrincipal | LegacyKeyPrincipal;

/** One stable name per principal, used by rate limits, logs and `submitted_by`. */
export function principalKey(principal: Pick<Principal, 'kind' | 'id'>): string {
  return `${principal.kind}:${principal.id}`;
}

/** Whether these are the same caller, who may do neither more nor less than before. */
export function hasSameRights(one: Principal, other: Principal): boolean {
  return (
    principalKey(one) === principalKey(other) &&
    canonicalize(rightsOf(one)) === canonicalize(rightsOf(other))
  );
}

/** A session grows older while it lasts; keys and tokens consist of their rights. */
function rightsOf(principal: Principal): object {
  if (principal.kind !== 'console_user') return principal;
  const { organizationId, role } = principal;
  return { organizationId, role };
}

/**
 * The authentication methods. Null means not valid, for whatever reason. They query the database
 * each time, so a revoked key stops working at once, on every process.
 */
export interface Verifiers {
  client(clientId: string, clientSecret: string, origin: Origin): Promise<ClientPrincipal | null>;
  /** A console or admin token. */
  bearer(token: string): Promise<ConsolePrincipal | AdminPrincipal | null>;
  /** An OAuth token, for the resource to which the path of the request's route belongs. */
  accessToken(token: string, route: string | undefined): Promise<ClientPrincipal | null>;
  /** The secret in a session cookie. */
  cookie(secret: string): Promise<ConsolePrincipal | null>;
  legacyKey(key: string, origin: Origin): Promise<LegacyKeyPrincipal | null>;
}
