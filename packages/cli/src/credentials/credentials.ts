import { CliError } from '../cli-error.ts';
import type { Locations } from '../config/locations.ts';
import type { CredentialStoreKind } from '../config/profile.ts';
import type { Settings, Source } from '../config/settings.ts';
import { EXIT } from '../exit-codes.ts';
import { type Io, nowOf } from '../io.ts';
import { koreanTime } from '../korean-time.ts';
import type { Texts } from '../texts/ko.ts';
import { fileStore } from './file-store.ts';
import { keyringStore } from './keyring-store.ts';
import { isWebLogin, type SecretStore, type StoredSecrets } from './secret-store.ts';

/** The client's credentials. */
export interface Credentials {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly token: string | (() => Promise<string>) | undefined;
  /** Why the token that may be there could not be read; the key is enough for most calls. */
  readonly tokenError?: unknown;
  /** The token is used like a key. */
  readonly tokenIsClient?: boolean | undefined;
  /** An expired console login; logging in again renews it. */
  readonly tokenExpiredAt?: string | undefined;
  readonly source: Source | null;
}

/** For commands that need no credentials: no keychain is asked. */
export const NO_CREDENTIALS: Credentials = {
  clientId: undefined,
  clientSecret: undefined,
  token: undefined,
  source: null,
};

export function storeOf(
  kind: CredentialStoreKind,
  io: Pick<Io, 'loadKeychain'>,
  { secretsDir, keychainAccount }: Locations,
): SecretStore {
  return kind === 'keyring' ? keyringStore(io, keychainAccount) : fileStore(secretsDir);
}

/**
 * The credentials of this run: a complete pair from the environment, or the profile's. A secret is sent only to
 * the service for which it was stored, whatever the address of this run is.
 */
export async function readCredentials(
  io: Io,
  settings: Settings,
  locations: Locations,
  texts: Texts,
): Promise<Credentials> {
  const now = nowOf(io);
  const { CHANGGU_CLIENT_ID: clientId, CHANGGU_CLIENT_SECRET: clientSecret } = io.env;
  if (Boolean(clientId) !== Boolean(clientSecret)) {
    throw new CliError('NOT_LOGGED_IN', texts.login.idAlone, EXIT.forbidden);
  }
  if (clientId && clientSecret) {
    // For a login at the console beside the key. A keychain that is locked is no reason to refuse the key.
    let tokenError: unknown;
    const beside = await readStored(io, settings, locations, texts).catch((error: unknown) => {
      tokenError = error;
      return null;
    });
    const token = beside && belongs(beside, settings) ? tokenInForce(beside, now) : undefined;
    return { clientId, clientSecret, token, tokenError, source: 'environment' };
  }
  const stored = await readStored(io, settings, locations, texts);
  if (!stored) return NO_CREDENTIALS;
  if (!belongs(stored, settings)) {
    const message = texts.login.otherOrigin(settings.profile.value, stored.base_url);
    throw new CliError('OTHER_SERVICE', message, EXIT.forbidden, [
      'changgu login --profile <name>',
    ]);
  }
  if (isWebLogin(stored)) {
    const { currentToken } = await import('../oauth/tokens.ts');
    const { profile, credentialStore } = settings;
    const store = storeOf(credentialStore?.value ?? 'file', io, locations);
    const context = { io, texts, locations, store, profile: profile.value };
    const none = { clientId: undefined, clientSecret: undefined };
    const webToken = currentToken(context, stored);
    return { ...none, token: webToken, tokenIsClient: true, source: 'profile' };
  }
  const id = settings.clientId?.value;
  const pair = id !== undefined && stored.client_secret !== undefined;
  return {
    clientId: pair ? id : undefined,
    clientSecret: pair ? stored.client_secret : undefined,
    token: tokenInForce(stored, now),
    tokenExpiredAt: expiredAt(stored, now),
    source: 'profile',
  };
}

async function readStored(
  io: Pick<Io, 'loadKeychain'>,
  settings: Settings,
  locations: Locations,
  texts: Texts,
): Promise<StoredSecrets | null> {
  const { profile, credentialStore, config } = settings;
  // Without a profile there was no login, so the keychain need not be asked.
  if (!Object.hasOwn(config.profiles, profile.value)) return null;
  const kind = credentialStore?.value ?? 'file';
  try {
    return await storeOf(kind, io, locations).read(profile.value);
  } catch (error) {
    if (kind === 'file') throw error;
    // Silently looking elsewhere would hide that the secret exists but is locked.
    const message = texts.login.keyringFailed(String(error));
    throw new CliError('KEYRING_FAILED', message, EXIT.forbidden, ['changgu login']);
  }
}

function belongs({ base_url }: StoredSecrets, { baseUrl }: Settings): boolean {
  const home = URL.parse(base_url);
  const target = URL.parse(baseUrl?.value ?? base_url);
  return home !== null && target !== null && home.origin === target.origin;
}

function tokenInForce(stored: StoredSecrets, now: number): string | undefined {
  return expiredAt(stored, now) === undefined ? stored.console_token || undefined : undefined;
}

function expiredAt(stored: StoredSecrets, now: number): string | undefined {
  const { console_token: token, console_token_expires_at: until } = stored;
  return token && until && Date.parse(until) <= now ? koreanTime(Date.parse(until)) : undefined;
}
