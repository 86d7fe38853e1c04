import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(import.meta.dirname);
const SERVER = join(ROOT, 'packages', 'server');
const MAX_FILES = 30;
/** Room for the longest tables of texts and errors. The 300 of docs/style.md are for its readers to keep. */
const MAX_LINES = 360;

/** What rules may import besides the contract: arithmetic of bytes and text, no I/O. */
const PURE_LIBRARIES = ['@changgu/contract', 'canonicalize', 'node:crypto'];

function filesBelow(folder: string): string[] {
  return readdirSync(join(SERVER, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath.slice(SERVER.length + 1), entry.name));
}

const sources = filesBelow('src').filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/testing/'),
);

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SERVER, file), 'utf8'));
  return importedFiles.map(({ fileName }) => fileName);
}

const imports = sources.flatMap((from) =>
  importsOf(from)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from, to: posix.join(posix.dirname(from), specifier) }))
    .filter(({ to }) => to.startsWith('src/')),
);

/** For each folder with folders in it: which of its entries import which others. */
function arrowsByFolder() {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of imports) {
    const [here, there] = [from.split('/'), to.split('/')];
    const depth = here.findIndex((name, index) => name !== there[index]);
    const [source, target] = [here[depth], there[depth]];
    if (source === undefined || target === undefined) continue;
    const folder = here.slice(0, depth).join('/');
    const arrows = folders.get(folder) ?? new Map<string, Set<string>>();
    folders.set(folder, arrows.set(source, (arrows.get(source) ?? new Set()).add(target)));
  }
  return folders;
}

function cycleIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | null {
  const finished = new Set<string>();
  const visit = (module: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(module)) return [...path.slice(path.indexOf(module)), module];
    if (finished.has(module)) return null;
    for (const next of arrows.get(module) ?? []) {
      const cycle = visit(next, [...path, module]);
      if (cycle !== null) return cycle;
    }
    finished.add(module);
    return null;
  };
  for (const module of arrows.keys()) {
    const cycle = visit(module, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

describe('the modules of the server', () => {
  const folders = [...arrowsByFolder()];

  it.each(folders)('no import cycle runs through the folders of %s', (_folder, arrows) => {
    expect(cycleIn(arrows)).toBeNull();
  });

  it('rules import the contract and each other', () => {
    const foreign = sources
      .filter((file) => file.startsWith('src/rules/'))
      .flatMap((file) => importsOf(file).map((specifier) => ({ file, specifier })))
      .filter(({ file, specifier }) =>
        specifier.startsWith('.')
          ? !posix.join(posix.dirname(file), specifier).startsWith('src/rules/')
          : !PURE_LIBRARIES.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
      );
    expect(foreign).toEqual([]);
  });
});

it('no file of the server imports more than types of node:http, whose WebSocket is a client of 8 MB', () => {
  const loading = sources.filter((file) =>
    /^import (?!type )[^;]*'node:http'/m.test(readFileSync(join(SERVER, file), 'utf8')),
  );
  expect(loading).toEqual([]);
});

it(`no folder of a package holds more than ${MAX_FILES} files`, () => {
  const files = globSync('packages/*/{src,test}/**/*.*', { cwd: ROOT });
  const counts = Map.groupBy(files, (file) => dirname(file));
  const crowded = [...counts].filter(([, { length }]) => length > MAX_FILES);
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
});

it(`no source file that is written by hand has more than ${MAX_LINES} lines`, () => {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !/\.test\.tsx?$|\/(generated|testing)\//.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const counts = files.map(
    (file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1] as const,
  );
  const long = counts.filter(([, lines]) => lines > MAX_LINES);
  expect(long.map(([file, lines]) => `${file}: ${lines}`)).toEqual([]);
});
