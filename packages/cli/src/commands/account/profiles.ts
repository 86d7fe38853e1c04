import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { type ConfigFile, writeConfigFile } from '../../config/config-file.ts';
import { checkProfileName, type Profile } from '../../config/profile.ts';
import { storeOf } from '../../credentials/credentials.ts';
import { confirm } from '../../input/prompt.ts';

export async function list(cli: Cli): Promise<undefined> {
  const { config, profile } = await cli.settings();
  const rows = Object.entries(config.profiles).map(([name, one]) => ({
    name,
    inUse: name === profile.value,
    baseUrl: one.base_url ?? null,
    envScope: one.env_scope ?? null,
    clientId: one.client_id ?? null,
    email: one.email ?? null,
    credentialStore: one.credential_store ?? null,
  }));
  await cli.output.list(rows, {
    columns: ['name', 'in_use', 'base_url', 'env_scope', 'client_id'],
    id: 'name',
  });
}

export async function use(cli: Cli, name: string): Promise<undefined> {
  const { config } = await cli.settings();
  profileOf(cli, config, name);
  await writeConfigFile(cli.locations.configFile, { ...config, profile: name });
  if (cli.io.env.CHANGGU_PROFILE) await cli.notes.warn(cli.texts.login.profileInUse);
}

export async function rename(cli: Cli, from: string, to: string): Promise<undefined> {
  const { config } = await cli.settings();
  const profile = profileOf(cli, config, from);
  checkProfileName(to, cli.texts);
  if (Object.hasOwn(config.profiles, to)) throw usageError(cli.texts.config.profileExists(to));
  const store = storeOf(profile.credential_store ?? 'file', cli.locations);
  const secrets = await store.read(from);
  if (secrets) await store.write(to, secrets);
  const { [from]: _, ...others } = config.profiles;
  await writeConfigFile(cli.locations.configFile, {
    ...config,
    ...(config.profile === from ? { profile: to } : {}),
    profiles: { ...others, [to]: profile },
  });
  await store.remove(from);
}

export async function remove(cli: Cli, name: string): Promise<undefined> {
  const { config } = await cli.settings();
  const profile = profileOf(cli, config, name);
  await confirm(cli, `${name} (${profile.base_url ?? '-'}).`);
  await storeOf(profile.credential_store ?? 'file', cli.locations).remove(name);
  const { [name]: _, ...profiles } = config.profiles;
  const { profile: chosen, ...rest } = config;
  const left = chosen === undefined || chosen === name ? {} : { profile: chosen };
  await writeConfigFile(cli.locations.configFile, { ...rest, ...left, profiles });
}

function profileOf({ texts }: Cli, { profiles }: ConfigFile, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  throw usageError(texts.config.noSuchProfile(name), 'changgu profiles list');
}
