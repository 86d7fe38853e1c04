import { usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';

export const CREDENTIAL_STORES = ['keyring', 'file'] as const;
export type CredentialStoreKind = (typeof CREDENTIAL_STORES)[number];

/** A profile's entry in config.toml. No secret. */
export interface Profile {
  readonly base_url?: string;
  readonly client_id?: string;
  readonly env_scope?: string;
  /** Where the login stored its secret. */
  readonly credential_store?: CredentialStoreKind;
  /** The console user who logged in. */
  readonly email?: string;
}

export const PROFILE_KEYS = [
  'base_url',
  'client_id',
  'env_scope',
  'credential_store',
  'email',
] as const;

export const DEFAULT_PROFILE = 'default';

/** A name is at once a TOML key, a file name and a keychain account. @throws usage error */
export function checkProfileName(name: string, texts: Texts): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw usageError(texts.config.profileName(name));
  return name;
}
