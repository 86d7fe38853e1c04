import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { writeConfigFile } from '../../config/config-file.ts';
import { CREDENTIAL_STORES, PROFILE_KEYS } from '../../config/profile.ts';
import { ENV_SCOPES, type Source } from '../../config/settings.ts';
import { isJson } from '../../output/format.ts';
import type { Shape } from '../../output/output.ts';

export interface SettingRow {
  readonly name: string;
  readonly value: string | null;
  readonly source: Source | null;
}

const SETTING: Shape = { columns: ['name', 'value', 'source'], id: 'value' };

/** What this run uses, and from where. */
export async function listSettings(cli: Cli): Promise<SettingRow[]> {
  const { profile, baseUrl, envScope, clientId, credentialStore } = await cli.settings();
  return Object.entries({
    profile,
    base_url: baseUrl,
    env_scope: envScope,
    client_id: clientId,
    credential_store: credentialStore,
  }).map(([name, setting]) => ({
    name,
    value: setting?.value ?? null,
    source: setting?.source ?? null,
  }));
}

export async function list(cli: Cli): Promise<undefined> {
  const rows = await listSettings(cli);
  if (isJson(cli.output.format)) {
    await cli.output.list(rows, SETTING);
    return;
  }
  const { sources } = cli.texts.config;
  const words = rows.map((row) => ({
    ...row,
    source: row.source === null ? '' : sources[row.source],
  }));
  await cli.output.list(words, SETTING);
}

export async function get(cli: Cli, name: string): Promise<undefined> {
  const rows = await listSettings(cli);
  const row = rows.find((setting) => setting.name === name);
  if (!row)
    throw usageError(
      cli.texts.output.unknownField(name),
      cli.texts.output.fields(rows.map((one) => one.name).join(', ')),
    );
  if (isJson(cli.output.format)) await cli.output.item(row, SETTING);
  else await cli.output.text(`${row.value ?? ''}\n`);
}

/** Writes one setting of the profile in use. */
export async function set(cli: Cli, name: string, value: string): Promise<undefined> {
  const { texts, locations } = cli;
  const { config, profile } = await cli.settings();
  const key = PROFILE_KEYS.find((known) => known === name);
  if (!key)
    throw usageError(texts.output.unknownField(name), texts.output.fields(PROFILE_KEYS.join(', ')));
  const allowed: readonly string[] | null =
    key === 'env_scope' ? ENV_SCOPES : key === 'credential_store' ? CREDENTIAL_STORES : null;
  if (allowed && !allowed.includes(value)) {
    throw usageError(texts.input.notOneOf(name, allowed.join(', ')));
  }
  if (key === 'base_url' && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw usageError(texts.config.wrongBaseUrl(value));
  await writeConfigFile(locations.configFile, {
    profile: config.profile ?? profile.value,
    profiles: {
      ...config.profiles,
      [profile.value]: { ...config.profiles[profile.value], [key]: value },
    },
  });
}

export async function path(cli: Cli): Promise<undefined> {
  await cli.output.text(`${cli.locations.configFile}\n`);
}
