import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { createClient } from '../../client.ts';
import { reads, writes } from '../../command.ts';
import { CREDENTIAL_STORES, PROFILE_KEYS } from '../../config/profile.ts';
import type { Source } from '../../config/settings.ts';
import { NO_CREDENTIALS } from '../../credentials/credentials.ts';
import { isJson } from '../../output/format.ts';
import type { Shape } from '../../output/shape.ts';
import { unknownField } from '../../output/unknown-field.ts';
import { ENV_SCOPES } from '../../wire-names.ts';
import { changeConfig } from './change-config.ts';

export interface SettingRow {
  readonly name: string;
  readonly value: string | null;
  readonly source: Source | null;
}

const SETTING: Shape = {
  fields: ['name', 'value', 'source'],
  columns: ['name', 'value', 'source'],
  id: 'value',
};

/** The settings of this run and their sources. */
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

export const list = reads<[]>(SETTING, async (cli) => {
  const rows = await listSettings(cli);
  if (isJson(cli.output.format)) await cli.output.list(rows, SETTING);
  else {
    const { sources } = cli.texts.config;
    const words = rows.map((row) => ({
      ...row,
      source: row.source === null ? '' : sources[row.source],
    }));
    await cli.output.list(words, SETTING);
  }
  return undefined;
});

const SETTING_VALUE: Shape = { ...SETTING, columns: ['value'] };

export const get = reads<[name: string]>(SETTING_VALUE, async (cli, name) => {
  const rows = await listSettings(cli);
  const row = rows.find((setting) => setting.name === name);
  if (!row) {
    const names = rows.map((one) => one.name);
    throw await unknownField(name, names, cli.texts);
  }
  await cli.output.value(row, SETTING_VALUE);
  return undefined;
});

/** Writes one setting of the profile in use. */
export const set = writes<[name: string, value: string]>('nothing', async (cli, name, value) => {
  const { texts } = cli;
  const { profile } = await cli.settings();
  const key = PROFILE_KEYS.find((known) => known === name);
  if (!key) throw await unknownField(name, PROFILE_KEYS, texts);
  const allowed: readonly string[] | null =
    key === 'env_scope' ? ENV_SCOPES : key === 'credential_store' ? CREDENTIAL_STORES : null;
  if (allowed && !allowed.includes(value)) {
    throw usageError(texts.input.notOneOf(name, allowed.join(', ')));
  }
  // Every later command would refuse another address.
  if (key === 'base_url') await createClient(cli, value, 'sandbox', NO_CREDENTIALS).close();
  await changeConfig(cli, (config) => {
    const { [profile.value]: before, ...others } = config.profiles;
    return {
      config: {
        profile: config.profile ?? profile.value,
        profiles: { ...others, [profile.value]: { ...before, [key]: value } },
      },
    };
  });
  return undefined;
});

const PATH: Shape = { fields: ['path'], columns: ['path'], id: 'path' };

export const path = reads<[]>(PATH, async (cli) => {
  await cli.output.value({ path: cli.locations.configFile }, PATH);
  return undefined;
});
