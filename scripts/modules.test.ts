import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(import.meta.dirname);
const SERVER = join(ROOT, 'packages', 'server');
const MAX_FILES = 30;
/** Room for the longest tables of texts and errors. The 300 of docs/style.md are for its readers to keep. */
const MAX_LINES = 360;

/** Files that every module but the rules may import. */
const SHARED = ['clock.ts', 'collect-garbage.ts', 'ids.ts', 'timers.ts'];
/** What needs no other part of the service. */
const TOOLS = ['certificates', 'crypto', 'failures', 'rules', 'tracing', 'validation'];
const USE_CASE = [
  ...TOOLS,
  'institutions',
  'jobs',
  'logging',
  'mail',
  'requests',
  'store',
  'waiting',
];

/**
 * Which modules each module may import; whoever composes the others is not named. `docs/architecture.md` draws it.
 * What is not here is passed in: connectors get everything through their call, the engine its use cases.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  rules: [],
  failures: ['rules'],
  tracing: ['rules'],
  validation: ['rules'],
  certificates: ['crypto', 'rules'],
  crypto: ['failures', 'rules'],
  logging: ['failures', 'rules'],
  requests: ['rules'],
  store: ['crypto', 'failures', 'rules'],
  institutions: TOOLS,
  engine: [...TOOLS, 'institutions', 'store'],
  waiting: ['rules', 'store'],
  mail: ['crypto', 'failures', 'logging', 'rules', 'store'],
  jobs: [...TOOLS, 'requests', 'store', 'waiting'],
  artifacts: USE_CASE,
  audit: USE_CASE,
  catalog: USE_CASE,
  credentials: USE_CASE,
  membership: USE_CASE,
  observability: USE_CASE,
  principals: USE_CASE,
  receipts: USE_CASE,
  events: [...USE_CASE, 'principals'],
  'identity-providers': [...USE_CASE, 'principals'],
  organizations: [...USE_CASE, 'principals'],
  billing: [...USE_CASE, 'organizations'],
  config: ['billing', 'credentials', 'identity-providers', 'rules'],
  oauth: [...USE_CASE, 'config'],
  'core.ts': [...TOOLS, 'config', 'receipts', 'store'],
  // The protocols. A call of an agent goes through the use cases of jobs and credentials.
  http: [
    ...USE_CASE,
    'artifacts',
    'audit',
    'billing',
    'catalog',
    'core.ts',
    'credentials',
    'events',
    'identity-providers',
    'membership',
    'oauth',
    'observability',
    'organizations',
    'principals',
    'receipts',
  ],
  mcp: [...TOOLS, 'artifacts', 'credentials', 'events', 'http', 'jobs', 'requests', 'store'],
};
/** They compose the others. */
const TOP = ['commands', 'composition', 'connector.ts', 'dev', 'index.ts', 'main.ts'];

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

/** A folder or a file of `src`. */
function moduleOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function mayImport(module: string, other: string): boolean {
  const shared = module !== 'rules' && SHARED.includes(other);
  return shared || (MAY_IMPORT[module] ?? []).includes(other);
}

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

  it('import only what they may', () => {
    const refused = imports
      .map(({ from, to }) => ({ from, module: moduleOf(from), to: moduleOf(to) }))
      .filter(({ module, to }) => module !== to && !TOP.includes(module))
      .filter(({ module, to }) => !mayImport(module, to));
    expect(refused.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
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
