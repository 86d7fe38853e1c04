import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { reads, writes } from '../../command.ts';
import type { ConfigFile } from '../../config/config-file.ts';
import { checkProfileName, type Profile } from '../../config/profile.ts';
import { profileOf } from '../../config/settings.ts';
import { storeOf } from '../../credentials/credentials.ts';
import { holdingProfile } from '../../credentials/profile-lock.ts';
import type { SecretStore, StoredSecrets } from '../../credentials/secret-store.ts';
import type { Shape } from '../../output/shape.ts';
import { changeConfig } from './change-config.ts';
import { endWebLogin } from './end-web-login.ts';

const PROFILE: Shape = {
  fields: ['name', 'in_use', 'base_url', 'env_scope', 'client_id', 'email', 'credential_store'],
  columns: ['name', 'in_use', 'base_url', 'env_scope', 'client_id'],
  id: 'name',
};

export const list = reads<[]>(PROFILE, async (cli) => {
  const { config, profile } = await cli.settingsOfAnyProfile();
  const rows = Object.entries(config.profiles).map(([name, one]) => ({
    name,
    inUse: name === profile.value,
    baseUrl: one.base_url ?? null,
    envScope: one.env_scope ?? null,
    clientId: one.client_id ?? null,
    email: one.email ?? null,
    credentialStore: one.credential_store ?? null,
  }));
  await cli.output.list(rows, PROFILE);
  return undefined;
});

export const use = writes<[name: string]>('nothing', async (cli, name) => {
  existing(cli, (await cli.settingsOfAnyProfile()).config, name);
  await changeConfig(cli, (config) => {
    existing(cli, config, name);
    return { config: { ...config, profile: name } };
  });
  if (cli.io.env.CHANGGU_PROFILE) await cli.notes.warn(cli.texts.login.profileInUse);
  return undefined;
});

export const rename = writes<[from: string, to: string]>('nothing', async (cli, from, to) => {
  checkRename(cli, (await cli.settingsOfAnyProfile()).config, from, to);
  await cli.change({ writes: cli.locations.configFile }, () =>
    holdingProfile(cli, from, async () => {
      const { store } = await changeConfig(cli, async (config) => {
        const profile = checkRename(cli, config, from, to);
        const store = storeOfProfile(cli, profile);
        const secrets = await store.read(from);
        if (secrets) await store.write(to, secrets);
        const { [from]: _, ...others } = config.profiles;
        const chosen = config.profile === from ? { profile: to } : {};
        return { config: { ...config, ...chosen, profiles: { ...others, [to]: profile } }, store };
      });
      await store.remove(from);
    }),
  );
  return undefined;
});

/** @returns the profile to rename @throws usage error */
function checkRename(cli: Cli, config: ConfigFile, from: string, to: string): Profile {
  const profile = existing(cli, config, from);
  checkProfileName(to, cli.texts);
  if (Object.hasOwn(config.profiles, to)) throw usageError(cli.texts.config.profileExists(to));
  return profile;
}

export const remove = writes<[name: string]>('nothing', async (cli, name) => {
  const known = existing(cli, (await cli.settingsOfAnyProfile()).config, name);
  await cli.confirm(async () => cli.texts.config.removeAsk(name, known.base_url ?? '-'));
  let secrets: StoredSecrets | null = null;
  const end = async () => {
    const { profile } = await changeConfig(cli, (config) => {
      const profile = existing(cli, config, name);
      const { [name]: _, ...profiles } = config.profiles;
      const { profile: chosen, ...rest } = config;
      const left = chosen === undefined || chosen === name ? {} : { profile: chosen };
      return { config: { ...rest, ...left, profiles }, profile };
    });
    const store = storeOfProfile(cli, profile);
    secrets = await store.read(name).catch(() => null);
    await store.remove(name);
  };
  try {
    await cli.change({ writes: cli.locations.configFile }, () => holdingProfile(cli, name, end));
  } finally {
    await endWebLogin(cli, name, secrets);
  }
  return undefined;
});

function storeOfProfile({ io, locations }: Cli, profile: Profile): SecretStore {
  return storeOf(profile.credential_store ?? 'file', io, locations);
}

function existing({ texts }: Cli, config: ConfigFile, name: string): Profile {
  const profile = profileOf(config, name);
  if (profile) return profile;
  throw usageError(texts.config.noSuchProfile(name), 'changgu profiles list');
}
