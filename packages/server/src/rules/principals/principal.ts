import type { EnvScope, OAuthScope, OrganizationRole } from '@changgu/contract';
import type { Origin } from './actor.ts';

export type IntegrationProfile = 'standard_external' | 'desktop_agent';

/** Basic client credentials of an organization, with what the key was issued for. */
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
  /** Of its environments, and for what it may read itself. */
  readonly manageWebhooks: boolean;
  /** What an OAuth token is allowed; null for a key, which may do all that its kind may. */
  readonly scopes: readonly OAuthScope[] | null;
}

/** A console user of an organization; organization and role are read on each request. */
export interface ConsolePrincipal {
  readonly kind: 'console_user';
  readonly id: string;
  readonly userId: number;
  readonly organizationId: number;
  readonly role: OrganizationRole;
  /** Nothing else may be done before. */
  readonly mustAddFactor: boolean;
  /** Null for a token from before sessions. */
  readonly session: OpenSession | null;
}

/** The login that a console user's request belongs to. */
export interface OpenSession {
  readonly id: string;
  readonly expiresAt: number;
  /** What a writing request must send with its cookie; null when a token authenticated it. */
  readonly csrfToken: string | null;
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

/** One stable name per principal: rate limits, logs and `submitted_by` use it. */
export function principalKey(principal: Pick<Principal, 'kind' | 'id'>): string {
  return `${principal.kind}:${principal.id}`;
}

/**
 * The ways of authenticating a caller. Null means not valid, whatever the reason. They query the database
 * each time, so that a revoked key stops working at once, on every process.
 */
export interface Verifiers {
  client(clientId: string, clientSecret: string, origin: Origin): Promise<ClientPrincipal | null>;
  /** A console or admin token. */
  bearer(token: string): Promise<ConsolePrincipal | AdminPrincipal | null>;
  /** An OAuth token, at the resource that the path of the request belongs to. */
  accessToken(token: string, path: string): Promise<ClientPrincipal | null>;
  /** The secret in a session cookie. */
  cookie(secret: string): Promise<ConsolePrincipal | null>;
  legacyKey(key: string): Promise<LegacyKeyPrincipal | null>;
}
