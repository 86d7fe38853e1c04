import { lstatSync } from 'node:fs';
import { usageError } from '../cli-error.ts';
import { FileError, whyOf } from '../file-error.ts';
import type { Texts } from '../texts/ko.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';
import { CREDENTIAL_STORES, checkProfileName, PROFILE_KEYS, type Profile } from './profile.ts';
import { unknownKey } from './unknown-key.ts';

/** config.toml: the profiles, and which one is active. */
export interface ConfigFile {
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** @throws usage error for a file that is not TOML or has unknown keys */
export async function readConfigFile(file: string, texts: Texts): Promise<ConfigFile> {
  const table = await readToml(file, texts);
  const { profile, profiles = {}, ...rest } = table;
  const [key] = Object.keys(rest);
  if (key !== undefined) throw await unknownKey({ file, key }, ['profile', 'profiles'], texts);
  if (profile !== undefined && typeof profile !== 'string') {
    throw usageError(texts.config.wrongValue(file, 'profile'));
  }
  if (!isTable(profiles)) throw usageError(texts.config.wrongValue(file, 'profiles'));
  const checked: [string, Profile][] = [];
  for (const [name, value] of Object.entries(profiles)) {
    checkProfileName(name, texts);
    checked.push([name, await toProfile(file, `profiles.${name}`, value, texts)]);
  }
  return {
    ...(profile === undefined ? {} : { profile: checkProfileName(profile, texts) }),
    profiles: Object.fromEntries(checked),
  };
}

/** The table of a TOML file; empty when there is no file. The parser is loaded only if there is one. */
export async function readToml(file: string, texts: Texts): Promise<Record<string, unknown>> {
  const text = await readOrRefuse(file, texts);
  if (text === null) return {};
  const { parse } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    const [why] = String(error instanceof Error ? error.message : error).split('\n');
    throw usageError(texts.config.notToml(file, why ?? ''));
  }
}

/** Whoever has a configuration must not run with the defaults because it cannot be read. @throws usage error */
async function readOrRefuse(file: string, texts: Texts): Promise<string | null> {
  try {
    const text = await readIfThere(file);
    if (text === null && isLink(file)) throw new FileError(file, 'DANGLING');
    return text;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw usageError(texts.config.notToml(file, whyOf(error.code, texts.system)));
  }
}

/** Of a file that is not there, only a link remains. */
function isLink(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Changes only the lines whose values differ. */
export async function writeConfigFile(file: string, config: ConfigFile): Promise<void> {
  const { editConfig } = await import('./edit-config.ts');
  await writePrivateFile(file, editConfig((await readIfThere(file)) ?? '', config));
}

async function toProfile(
  file: string,
  path: string,
  value: unknown,
  texts: Texts,
): Promise<Profile> {
  if (!isTable(value)) throw usageError(texts.config.wrongValue(file, path));
  for (const [key, inner] of Object.entries(value)) {
    if (!PROFILE_KEYS.some((known) => known === key)) {
      throw await unknownKey({ file, table: `${path}.`, key }, PROFILE_KEYS, texts);
    }
    const stores: readonly unknown[] = CREDENTIAL_STORES;
    if (typeof inner !== 'string' || (key === 'credential_store' && !stores.includes(inner))) {
      throw usageError(texts.config.wrongValue(file, `${path}.${key}`));
    }
  }
  return value;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
