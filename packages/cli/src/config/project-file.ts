import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';
import { readToml } from './config-file.ts';
import { unknownKey } from './unknown-key.ts';

/**
 * A project's changgu.toml. It can only choose among the user's own settings: with an address in it, the
 * project's author could receive the user's secret.
 */
export interface ProjectFile {
  readonly profile?: string;
  readonly env_scope?: string;
}

const NAME = 'changgu.toml';

/** The nearest project file from `cwd` upwards; empty when there is none. @throws usage error for an unknown key */
export async function readProjectFile(cwd: string, texts: Texts): Promise<ProjectFile> {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const file = join(dir, NAME);
    if (existsSync(file)) return check(file, await readToml(file, texts), texts);
    if (dirname(dir) === dir) return {};
  }
}

async function check(
  file: string,
  table: Record<string, unknown>,
  texts: Texts,
): Promise<ProjectFile> {
  for (const [key, value] of Object.entries(table)) {
    if (key !== 'profile' && key !== 'env_scope') {
      throw await unknownKey({ file, key }, ['profile', 'env_scope'], texts);
    }
    if (typeof value !== 'string') throw usageError(texts.config.wrongValue(file, key));
  }
  return table;
}
