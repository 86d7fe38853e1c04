/** The package as its users get it: packed, and installed alone in an empty project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

export const PACKAGE = join(import.meta.dirname, '..', '..');
export const ROOT = join(PACKAGE, '..', '..');
const TSC = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
export const shell = process.platform === 'win32';

let folder = '';
export let tarball = '';
export let project = '';

/** Packs and installs before the tests of a file, and removes it all after them. */
export function packProject(): void {
  beforeAll(packAndInstall, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

function packAndInstall(): void {
  folder = mkdtempSync(join(tmpdir(), 'changgu-packed-'));
  if (!isBuilt()) execFileSync('pnpm', ['run', 'build'], { cwd: PACKAGE, shell, stdio: 'pipe' });
  const pack = ['pack', '--pack-destination', folder];
  execFileSync('pnpm', pack, { cwd: PACKAGE, shell, stdio: 'pipe' });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  project = mkdtempSync(join(folder, 'project-'));
  write('package.json', JSON.stringify({ name: 'p', private: true, type: 'module' }));
  const add = ['add', '--ignore-workspace', '--prefer-offline', tarball];
  execFileSync('pnpm', add, { cwd: project, shell, stdio: 'pipe' });
}

function changesIn(folder: string): number[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => statSync(join(folder, name)).mtimeMs);
}

/** No source is newer than what was built from it. */
function isBuilt(): boolean {
  const built = statSync(join(PACKAGE, 'dist', 'index.d.ts'), { throwIfNoEntry: false })?.mtimeMs;
  const newest = Math.max(
    ...['src', 'scripts', '../contract/src'].flatMap((name) => changesIn(join(PACKAGE, name))),
    statSync(join(PACKAGE, 'tsup.config.ts')).mtimeMs,
  );
  return built !== undefined && built > newest;
}

export function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

export function run(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

export function compile(
  name: string,
  source: string,
  module = 'nodenext',
): { status: number | null; output: string } {
  write(name, source);
  const flags =
    '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --target es2023 --types node';
  return run(
    TSC,
    ...flags.split(' '),
    '--module',
    module,
    '--typeRoots',
    join(ROOT, 'node_modules', '@types'),
    name,
  );
}

export const RUN_A_JOB = `
  const service = new FakeService();
  const client = new Changgu(service.clientOptions);
  const work = client.jobs.run({ action: 'bank_b.accounts.list', params: { a: 1 } });
  service.clock.runUntil(work).then((result) => console.log(JSON.stringify(result.data)));
`;
export const ECHO = '{"mock":true,"params_echo":{"a":1}}';

export const slow = { timeout: 120_000 };
