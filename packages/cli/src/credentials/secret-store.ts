import type { CredentialStoreKind } from '../config/profile.ts';

/** The secrets of one profile, bound to the service for which they were issued. */
export interface StoredSecrets {
  /** The base URL to which they may be sent. */
  readonly base_url: string;
  readonly client_secret?: string;
  readonly console_token?: string;
  /** ISO-8601 */
  readonly console_token_expires_at?: string;
  readonly oauth_access_token?: string;
  /** ISO-8601 */
  readonly oauth_access_token_expires_at?: string;
  readonly oauth_refresh_token?: string;
}

/** Whether a person approved this program in a browser. */
export function isWebLogin(secrets: Partial<StoredSecrets> | null): boolean {
  return secrets?.oauth_access_token !== undefined;
}

/** A storage for secrets. */
export interface SecretStore {
  readonly kind: CredentialStoreKind;
  /** Null when nothing is stored. */
  read(profile: string): Promise<StoredSecrets | null>;
  write(profile: string, secrets: StoredSecrets): Promise<void>;
  /** False when nothing was stored. */
  remove(profile: string): Promise<boolean>;
}

/** What a store returned, if this program wrote it. */
export function parseSecrets(text: string): StoredSecrets | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isSecrets(value) ? value : null;
}

function isSecrets(value: unknown): value is StoredSecrets {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((inner) => typeof inner === 'string') &&
    'base_url' in value
  );
}
