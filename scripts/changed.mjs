/** What a change can have broken: the packages that depend on it, and the tests that can see it. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = dirname(import.meta.dirname);
const shell = process.platform === 'win32';
/** In these, only what is imported counts; elsewhere in the repository a file is about everything. */
const WORKSPACES = /^(packages\/[^/]+|examples|bench)\//;
/** Read by the tests of the examples, which try every command in them. */
const DOCUMENTS = /^docs\/|^[^/]+\.md$/;
const CHANGESETS = /^\.changeset\//;

/** Files that differ from the main branch: committed, uncommitted or new. */
export function changedFiles() {
  const base = mergeBase();
  const differing = git('diff', '--name-only', '--no-renames', base);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return { base, files: [...new Set([...differing, ...untracked])] };
}

function mergeBase() {
  for (const main of ['main', 'origin/main']) {
    try {
      const [base] = git('merge-base', 'HEAD', main);
      if (base) return base;
    } catch {
      // There is no branch of that name in this clone.
    }
  }
  return 'HEAD';
}

/**
 * The packages that the files belong to, and those that depend on them.
 * @param {string[]} files
 * @returns {Set<string>}
 */
export function affectedBy(files) {
  const folders = new Set(files.filter((file) => !CHANGESETS.test(file)).map(folderOf));
  if (folders.size === 0) return new Set();
  const filters = [...folders].flatMap((folder) => ['--filter', `...{./${folder}}`]);
  const list = ['ls', '--recursive', '--depth', '-1', '--json'];
  if (!folders.has('.')) list.push(...filters);
  /** @type {{ name: string }[]} */
  const packages = JSON.parse(execFileSync('pnpm', list, { cwd: root, encoding: 'utf8', shell }));
  return new Set(packages.map(({ name }) => name));
}

/**
 * Test files that import what has changed, and those of affected packages that start programs: what a program
 * loads, no import of theirs says.
 * @param {string} base
 * @param {Set<string>} affected
 */
export function testFilesFor(base, affected) {
  const list = ['exec', 'vitest', 'list', '--filesOnly', '--json', '--changed', base];
  const output = execFileSync('pnpm', list, { cwd: root, encoding: 'utf8', shell });
  /** @type {{ file: string }[]} */
  const importing = JSON.parse(output.slice(output.indexOf('[')));
  return [
    ...new Set([
      ...importing.map(({ file }) => relative(root, file)),
      ...programTests(affected),
      ...globSync('scripts/*.test.ts', { cwd: root }),
    ]),
  ];
}

/** The folder of the package that a file belongs to; the root's for what all of them share. */
function folderOf(/** @type {string} */ file) {
  if (DOCUMENTS.test(file)) return 'examples';
  return WORKSPACES.exec(file)?.[1] ?? '.';
}

/** @param {Set<string>} affected */
function programTests(affected) {
  return globSync(['packages/*/{src,test}/**/*.test.ts', 'examples/test/*.test.ts'], { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => affected.has(packageOf(file)) && startsPrograms(join(root, file)));
}

function packageOf(/** @type {string} */ file) {
  return JSON.parse(readFileSync(join(root, folderOf(file), 'package.json'), 'utf8')).name;
}

/** Whether a file, or the support that it imports beside it, starts other programs. */
function startsPrograms(/** @type {string} */ path, /** @type {Set<string>} */ seen = new Set()) {
  if (seen.has(path) || !existsSync(path)) return false;
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  if (/from 'node:child_process'|from '@lydell\/node-pty'/.test(text)) return true;
  return Array.from(text.matchAll(/from '(\.[^']+)'/g), ([, name = '']) => name).some((name) =>
    startsPrograms(join(dirname(path), name), seen),
  );
}

/** @param {string[]} args */
function git(...args) {
  const output = execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return output.split('\n').filter(Boolean);
}
