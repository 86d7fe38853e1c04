import type { EnvScope } from '@changgu/sdk';
import { usageError } from '../cli-error.ts';
import type { Io } from '../io.ts';
import type { Texts } from '../texts/ko.ts';
import { ENV_SCOPES } from '../wire-names.ts';
import type { ConfigFile } from './config-file.ts';
import { readConfigFile } from './config-file.ts';
import type { Locations } from './locations.ts';
import {
  CREDENTIAL_STORES,
  type CredentialStoreKind,
  checkProfileName,
  DEFAULT_PROFILE,
  type Profile,
} from './profile.ts';
import { type ProjectFile, readProjectFile } from './project-file.ts';

export type Source = 'flag' | 'environment' | 'project' | 'profile' | 'default';

/** A setting and its source. */
export interface Sourced<T> {
  readonly value: T;
  readonly source: Source;
}

/** The settings of this run: flag > environment > project file > profile > default. */
export interface Settings {
  readonly profile: Sourced<string>;
  /** Null for a profile that a login would create. */
  readonly stored: Profile | null;
  readonly baseUrl: Sourced<string> | null;
  readonly clientId: Sourced<string> | null;
  readonly envScope: Sourced<EnvScope>;
  /** Null: the keychain if there is one. */
  readonly credentialStore: Sourced<CredentialStoreKind> | null;
  readonly config: ConfigFile;
  /** What the project's file says, also where a flag or a variable wins. */
  readonly project: ProjectFile;
  /** Settings whose flag and environment variable differ, for the warning. */
  readonly conflicts: readonly { readonly flag: string; readonly variable: string }[];
}

/** Flags for settings. */
export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly envScope?: string | undefined;
}

/** @throws usage error for an invalid value */
export async function readSettings(
  io: Io,
  locations: Locations,
  flags: SettingFlags,
  texts: Texts,
): Promise<Settings> {
  const { env } = io;
  const config = await readConfigFile(locations.configFile, texts);
  const project = await readProjectFile(io.cwd, texts);
  const profile =
    first<string>(
      ['flag', flags.profile],
      ['environment', env.CHANGGU_PROFILE],
      ['project', project.profile],
      ['profile', config.profile],
    ) ?? defaultProfile(config);
  const stored = profileOf(config, checkProfileName(profile.value, texts));
  const known = stored ?? {};
  return {
    profile,
    stored,
    baseUrl: first(
      ['flag', flags.baseUrl],
      ['environment', env.CHANGGU_BASE_URL],
      ['profile', known.base_url],
    ),
    clientId: first(['environment', env.CHANGGU_CLIENT_ID], ['profile', known.client_id]),
    envScope: checkEnvScope(
      first<string>(
        ['flag', flags.envScope],
        ['environment', env.CHANGGU_ENV_SCOPE],
        ['project', project.env_scope],
        ['profile', known.env_scope],
      ) ?? { value: 'sandbox', source: 'default' },
      texts,
    ),
    credentialStore: checkStore(
      first<string>(
        ['environment', env.CHANGGU_CREDENTIAL_STORE],
        ['profile', known.credential_store],
      ),
      texts,
    ),
    config,
    project,
    conflicts: conflicts(flags, env),
  };
}

/** The first one that is given and not empty. */
function first<T extends string>(
  ...candidates: readonly (readonly [Source, T | undefined])[]
): Sourced<T> | null {
  for (const [source, value] of candidates) if (value) return { value, source };
  return null;
}

/** @throws usage error for a chosen profile that does not exist */
export function checkProfileKnown({ profile, stored }: Settings, texts: Texts): void {
  if (stored !== null || profile.source === 'default') return;
  const { value } = profile;
  throw usageError(
    texts.config.noSuchProfile(value),
    'changgu profiles list',
    `changgu login --profile ${value}`,
  );
}

/** The only existing profile need not be named. */
function defaultProfile({ profiles }: ConfigFile): Sourced<string> {
  const [only, ...others] = Object.keys(profiles);
  const value = only !== undefined && others.length === 0 ? only : DEFAULT_PROFILE;
  return { value, source: 'default' };
}

export function profileOf({ profiles }: ConfigFile, name: string): Profile | null {
  return Object.hasOwn(profiles, name) ? (profiles[name] ?? null) : null;
}

function checkEnvScope({ value, source }: Sourced<string>, texts: Texts): Sourced<EnvScope> {
  const scope = ENV_SCOPES.find((name) => name === value);
  if (!scope) throw usageError(texts.config.wrongEnvScope(value));
  return { value: scope, source };
}

function checkStore(
  given: Sourced<string> | null,
  texts: Texts,
): Sourced<CredentialStoreKind> | null {
  if (!given) return null;
  const kind = CREDENTIAL_STORES.find((name) => name === given.value);
  if (!kind) throw usageError(texts.config.wrongStore(given.value));
  return { value: kind, source: given.source };
}

function conflicts(flags: SettingFlags, env: Io['env']): Settings['conflicts'] {
  const pairs = [
    ['--profile', flags.profile, 'CHANGGU_PROFILE'],
    ['--base-url', flags.baseUrl, 'CHANGGU_BASE_URL'],
    ['--env-scope', flags.envScope, 'CHANGGU_ENV_SCOPE'],
  ] as const;
  return pairs
    .filter(([, value, variable]) => value && env[variable] && env[variable] !== value)
    .map(([flag, , variable]) => ({ flag, variable }));
}
