import type { EnvScope, OrganizationRole } from '@changgu/contract';

export type IntegrationProfile = 'standard_external' | 'desktop_agent';

/** Basic client credentials of an organization, with what the key was issued for (D96, D147). */
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
}

/** A person of an organization; organization and role are read per request (D86). */
export interface ConsolePrincipal {
  readonly kind: 'console_user';
  readonly id: string;
  readonly userId: number;
  readonly organizationId: number;
  readonly role: OrganizationRole;
}

/** An operator. Belongs to no organization; X-Organization-Id may name one (D87). */
export interface AdminPrincipal {
  readonly kind: 'admin_user';
  readonly id: string;
  readonly email: string;
}

/** An x-api-key, bound to one organization and one environment (D109). */
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
 * The ways of proving who calls. Null means not valid, one answer for every reason (D47). They ask the
 * database each time: a revoked key stops at once, on every process (D98).
 */
export interface Verifiers {
  client(clientId: string, clientSecret: string): Promise<ClientPrincipal | null>;
  /** A console or admin token. */
  bearer(token: string): Promise<ConsolePrincipal | AdminPrincipal | null>;
  legacyKey(key: string): Promise<LegacyKeyPrincipal | null>;
}
