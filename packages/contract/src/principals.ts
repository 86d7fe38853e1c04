/** Kinds of principal. `system` is internal and never authenticates by a header. */
export const PRINCIPAL_KINDS = [
  'client',
  'console_user',
  'admin_user',
  'legacy_api_key',
  'system',
] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

export const ENV_SCOPES = ['sandbox', 'real_test', 'production'] as const;
export type EnvScope = (typeof ENV_SCOPES)[number];

/** Roles in an organization; each one includes the rights of those before it. */
export const ORGANIZATION_ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

export const REGISTRATION = ['open', 'invite', 'off'] as const;

/** Who may open a new account at a server: anyone, those who are invited, or no one. */
export type Registration = (typeof REGISTRATION)[number];

/** Scopes of an OAuth token; an application credential needs none of them. */
export const OAUTH_SCOPES = [
  'jobs:read',
  'jobs:submit',
  'jobs:irreversible',
  'links:read',
] as const;
export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** Who may call an operation. Kinds that are not named get 403 AUTH_FORBIDDEN_PRINCIPAL. */
export type May =
  | 'anyone'
  | {
      /**
       * Basic client credentials; `desktop_agent` admits only keys of that integration profile,
       * `manage_webhooks` only keys that were issued with this right.
       */
      readonly client?: true | 'desktop_agent' | 'manage_webhooks';
      /** Bearer console token, of a member with at least this role. */
      readonly console_user?: OrganizationRole;
      /** Bearer admin token. */
      readonly admin_user?: true;
      /** x-api-key. */
      readonly legacy_api_key?: true;
    };
