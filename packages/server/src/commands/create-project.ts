import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConnectorModuleError } from '../institutions/own-institutions.ts';
import { version } from './version.ts';

/** What the guide leaves behind: data of the two servers, and whatever holds a secret or pages of a customer. */
const IGNORED = [
  'node_modules',
  '.changgu',
  'changgu.db*',
  'master-key',
  'login-id',
  'password',
  '*.case.json',
  '*.trace.json',
];

const FROM_SOURCE = import.meta.url.endsWith('.ts');

/** The template's files: the example of the guide, which the build places next to this module. */
function templateFolder(): string {
  return fileURLToPath(
    FROM_SOURCE
      ? new URL('../../../../examples/own-institution/', import.meta.url)
      : new URL('./template/', import.meta.url),
  );
}

/**
 * Creates a project in a new folder and returns the list of its files.
 * @throws ConnectorModuleError when the folder is not empty
 */
export async function createConnectorProject(folder: string): Promise<string[]> {
  const target = resolve(folder);
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).length > 0) {
    throw new ConnectorModuleError(`${folder} is not empty`);
  }
  const template = templateFolder();
  const names = (await readdir(template)).filter((name) => name.endsWith('.ts'));
  for (const name of names) await copyFile(join(template, name), join(target, name));
  const manifest = {
    name:
      basename(target)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-') || 'connector',
    private: true,
    type: 'module',
    scripts: { portal: 'node serve-portal.ts 4030', test: 'node --test "*.check.ts"' },
    dependencies: { '@changgu/server': `^${version()}` },
  };
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(target, '.gitignore'), `${IGNORED.join('\n')}\n`);
  return [...names, 'package.json', '.gitignore'].map((name) => join(folder, name)).toSorted();
}
