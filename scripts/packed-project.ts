/** A package as its users get it: packed, and installed alone in an empty project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNewer } from './newer.ts';

export const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
const shell = process.platform === 'win32';

export interface Output {
  readonly status: number | null;
  readonly output: string;
}

export interface CompileOptions {
  /** @default nodenext */
  readonly module?: string;
  /** The globals that there are. @default those of Node and of browsers */
  readonly globals?: 'node' | 'browser';
}

export interface PackedProject {
  readonly tarball: string;
  readonly path: string;
  write(name: string, text: string): void;
  /** Runs Node in the project. */
  run(...args: string[]): Output;
  /** Type-checks files of the project as a strict user would. */
  compile(names: readonly string[], options?: CompileOptions): Output;
  remove(): void;
}

/**
 * Builds the package if one of its sources is newer than what was built, packs it and installs it.
 * @param folder of the package
 * @param sources files and folders that go into it
 */
export function packProject(folder: string, sources: readonly string[]): PackedProject {
  const temporary = mkdtempSync(join(tmpdir(), 'changgu-packed-'));
  const pnpm = (cwd: string, ...args: string[]) =>
    execFileSync('pnpm', args, { cwd, shell, stdio: 'pipe' });
  if (!isNewer(join(folder, 'dist', 'index.d.ts'), sources)) pnpm(folder, 'run', 'build');
  pnpm(folder, 'pack', '--pack-destination', temporary);
  const name = readdirSync(temporary).find((file) => file.endsWith('.tgz')) ?? '';
  const tarball = join(temporary, name);
  const path = mkdtempSync(join(temporary, 'project-'));
  const write = (file: string, text: string) => writeFileSync(join(path, file), text);
  write('package.json', JSON.stringify({ name: 'p', private: true, type: 'module' }));
  pnpm(path, 'add', '--ignore-workspace', '--prefer-offline', tarball);
  return {
    tarball,
    path,
    write,
    run: (...args) => runIn(path, args),
    compile: (names, options = {}) => compileIn(path, names, options),
    remove: () => rmSync(temporary, { recursive: true, force: true }),
  };
}

function runIn(cwd: string, args: readonly string[]): Output {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function compileIn(
  path: string,
  names: readonly string[],
  { module = 'nodenext', globals }: CompileOptions,
): Output {
  const flags =
    '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --target es2023';
  const typeRoots = join(ROOT, 'node_modules', '@types');
  const args = [
    ...flags.split(' '),
    '--module',
    module,
    ...(globals === 'node' ? ['--lib', 'es2023'] : []),
    ...(globals === 'browser' ? [] : ['--types', 'node', '--typeRoots', typeRoots]),
    ...names,
  ];
  return runIn(path, [TSC, ...args]);
}
