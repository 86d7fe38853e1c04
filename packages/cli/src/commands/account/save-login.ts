import type { EnvScope } from '@changgu/sdk';
import type { Cli, WritingCli } from '../../cli.ts';
import { CliError } from '../../cli-error.ts';
import type { CredentialStoreKind, Profile } from '../../config/profile.ts';
import { profileOf } from '../../config/settings.ts';
import { storeOf } from '../../credentials/credentials.ts';
import { secretsFile } from '../../credentials/file-store.ts';
import { holdingProfile } from '../../credentials/profile-lock.ts';
import { isWebLogin, type StoredSecrets } from '../../credentials/secret-store.ts';
import { EXIT } from '../../exit-codes.ts';
import { changeConfig } from './change-config.ts';
import { endWebLogin } from './end-web-login.ts';

interface NewLogin {
  readonly baseUrl: string;
  readonly clientId?: string | undefined;
  readonly email?: string | undefined;
  readonly envScope?: EnvScope | undefined;
  readonly secrets: Omit<StoredSecrets, 'base_url'>;
}

/**
 * Stores a login: the secret first, then the profile that names it. The profile's other data for this service stays.
 * @returns where the secret is stored, in words
 */
export async function saveLogin(cli: WritingCli, name: string, login: NewLogin): Promise<string> {
  const { kind, stored } = await cli
    .change({ writes: cli.locations.configFile }, () =>
      holdingProfile(cli, name, async () => {
        const change = await replaceLogin(cli, name, login);
        const { kind, before } = change;
        // There, a logout would not look for it.
        if (before !== kind)
          await storeOf(before, cli.io, cli.locations)
            .remove(name)
            .catch(() => {});
        return change;
      }),
    )
    .catch(async (error: unknown) => {
      // The person approved it already.
      await endWebLogin(cli, name, { ...login.secrets, base_url: login.baseUrl });
      throw error;
    });
  // Nothing has its tokens any longer.
  await endWebLogin(cli, name, stored);
  return placeOf(cli, kind, name);
}

async function replaceLogin(cli: WritingCli, name: string, login: NewLogin) {
  const { credentialStore } = await cli.settingsOfAnyProfile();
  const { baseUrl, clientId, email, envScope, secrets } = login;
  return changeConfig(cli, async (config) => {
    const old = profileOf(config, name) ?? {};
    const before = old.credential_store ?? 'file';
    const stored = await storeOf(before, cli.io, cli.locations)
      .read(name)
      .catch(() => null);
    const earlier = stored?.base_url === baseUrl ? stored : null;
    // A browser login is the only one in its profile, so there is nothing to choose from.
    const isAlone = isWebLogin(secrets) || isWebLogin(earlier);
    const kept = isAlone || earlier === null ? {} : withoutReplaced(earlier, secrets);
    // The settings may be those of another profile.
    const chosen = credentialStore?.source === 'environment' ? credentialStore.value : null;
    const kind = await writeSecrets(cli, name, chosen ?? old.credential_store ?? null, {
      ...kept,
      ...secrets,
      base_url: baseUrl,
    });
    const { client_id: _, email: __, ...settings } = old;
    const profile: Profile = {
      ...(isAlone ? settings : old),
      base_url: baseUrl,
      credential_store: kind,
      ...(clientId === undefined ? {} : { client_id: clientId }),
      ...(email === undefined ? {} : { email }),
      ...(envScope === undefined ? {} : { env_scope: envScope }),
    };
    const profiles = { ...config.profiles, [name]: profile };
    const { profile: active = name } = config;
    return { config: { profile: active, profiles }, kind, before, stored };
  });
}

/** An expiry belongs to its token: a token from elsewhere comes without one. */
function withoutReplaced(
  { console_token_expires_at: until, ...kept }: StoredSecrets,
  { console_token: token }: NewLogin['secrets'],
): Partial<StoredSecrets> {
  return token !== undefined || until === undefined
    ? kept
    : { ...kept, console_token_expires_at: until };
}

/** Where a secret was put, in words. */
function placeOf({ io, texts, locations }: Cli, kind: CredentialStoreKind, name: string): string {
  const { login } = texts;
  if (kind === 'file') return login.file(secretsFile(locations.secretsDir, name));
  if (io.platform === 'darwin') return login.keychains.darwin;
  return io.platform === 'win32' ? login.keychains.win32 : login.keychains.linux;
}

/** At the chosen place; by default in the keychain or, with a note, in a file where there is none. */
async function writeSecrets(
  { io, locations, notes, texts }: Cli,
  name: string,
  chosen: CredentialStoreKind | null,
  secrets: StoredSecrets,
): Promise<CredentialStoreKind> {
  if (chosen !== 'file') {
    try {
      await storeOf('keyring', io, locations).write(name, secrets);
      return 'keyring';
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (chosen === 'keyring') {
        const hint = 'CHANGGU_CREDENTIAL_STORE=file';
        throw new CliError('KEYRING_FAILED', texts.login.keyringFailed(why), EXIT.failed, [hint]);
      }
      await notes.warn(texts.login.noKeyring(why));
    }
  }
  await storeOf('file', io, locations).write(name, secrets);
  return 'file';
}
