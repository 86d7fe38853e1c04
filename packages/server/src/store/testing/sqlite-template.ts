import { rmSync } from 'node:fs';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../database.ts';

let template: Promise<string> | undefined;

/** Puts a migrated, empty database at `path`: copying one is quicker than running every migration. */
export async function copyMigratedSqlite(path: string): Promise<void> {
  template ??= createTemplate();
  await copyFile(await template, path);
}

async function createTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-template-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'changgu.db');
  await (await openStore({ url: `sqlite:${path}` })).close();
  return path;
}
