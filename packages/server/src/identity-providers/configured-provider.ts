import type { TrustedFactor } from '../rules/principals/vouched-login.ts';

/** An identity provider that the operator trusts with people's logins. */
export interface ConfiguredProvider {
  /** In addresses and commands: lower case, never changed. */
  readonly name: string;
  /** On buttons. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE protects alone. */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  /** What in its answers counts as a second factor; both empty: nothing. */
  readonly trustedFactor: TrustedFactor;
}
