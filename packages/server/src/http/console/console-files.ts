import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const zip = promisify(gzip);
const run = promisify(execFile);

export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

export interface ConsoleFiles {
  /** With a placeholder for the base address, see `pageFor`. */
  readonly page: string;
  /** By path below the console's folder: `assets/index-1a2b.js`. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
};

/** Reads the built console into memory: it is small, and no request path ever reaches the disk. */
export async function loadConsole(): Promise<ConsoleFiles> {
  const folder = import.meta.url.endsWith('.ts') ? await builtFromSource() : besideThisFile();
  const names = await readdir(join(folder, 'assets'));
  const assets = await Promise.all(
    names.map(async (name): Promise<[string, ConsoleFile]> => {
      const bytes = await readFile(join(folder, 'assets', name));
      const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [posix.join('assets', name), { type, bytes, zipped: await zip(bytes) }];
    }),
  );
  return { page: await readFile(join(folder, 'index.html'), 'utf8'), assets: new Map(assets) };
}

/** In the published package. */
function besideThisFile(): string {
  return fileURLToPath(new URL('console', import.meta.url));
}

/** In a checkout it is built on first use, and again after its sources have changed. */
async function builtFromSource(): Promise<string> {
  const folder = fileURLToPath(new URL('../../../../console', import.meta.url));
  const script = join(folder, 'scripts', 'build.ts').replaceAll(sep, '/');
  await run(process.execPath, ['--conditions=@changgu/source', script, '--if-stale']);
  return join(folder, 'dist');
}
