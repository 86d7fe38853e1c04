/**
 * Writes the API reference of the SDK to docs/sdk/api from the comments of its types; with --check fails when a page on
 * disk differs. Reading the types takes seconds, so nothing is done while they and the pages are as they were.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  Application,
  type Context,
  Converter,
  DeclarationReflection,
  OptionDefaults,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';

const ROOT = join(import.meta.dirname, '..');
const SDK = join(ROOT, 'packages', 'sdk');
const PAGES = join(ROOT, 'docs', 'sdk', 'api');
/** What was found to be true last time. */
const SEEN = join(ROOT, 'node_modules', '.cache', 'sdk-reference');
const SOURCES = [
  join(SDK, 'src'),
  join(ROOT, 'packages', 'contract', 'src'),
  join(import.meta.dirname, 'sdk-reference.ts'),
  // The version of the generator.
  join(ROOT, 'pnpm-workspace.yaml'),
];

/** The pages into which the main entry is cut, by the sources of what stands there; the rest is `client`. */
const AREAS: readonly (readonly [string, RegExp])[] = [
  ['errors', /\/sdk\/src\/errors\//],
  [
    'jobs',
    /\/sdk\/src\/(jobs|artifacts|receipts|events)\/|\/resources\/(jobs|artifacts|events|receipts)\.ts/,
  ],
  ['resources', /\/sdk\/src\/resources\//],
];
const MAIN = 'index';

/** Classes that programs make themselves; the reference leaves out the constructors of all others. */
const MADE_BY_USERS = ['Changgu', 'FakeService', 'VirtualClock'];

const ABOUT =
  'Generated from the comments of the types by `pnpm generate`. `client`, `jobs`, `resources` and `errors` are what `@changgu/sdk` exports; the others are entries of their own, such as `@changgu/sdk/testing`.\n\n## Pages';

const markdown: Partial<PluginOptions> = {
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: false,
  useCodeBlocks: true,
  expandParameters: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
};

const check = process.argv.includes('--check');
if (seen() !== digest()) {
  const stale = await writePages();
  for (const name of stale) console.log(`${check ? 'stale' : 'wrote'} docs/sdk/api/${name}`);
  if (check && stale.length > 0) {
    console.error('The API reference differs from the SDK: run `pnpm generate` and commit.');
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(SEEN), { recursive: true });
    writeFileSync(SEEN, digest());
  }
}

/** The names of the pages that were not as they should be. */
async function writePages(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'changgu-reference-'));
  try {
    await makePages(folder);
    const made = new Map(readdirSync(folder).map((name) => [name, textOf(join(folder, name))]));
    const names = new Set([...made.keys(), ...pageNames()]);
    const stale = [...names].filter((name) => made.get(name) !== pageOf(name)).toSorted();
    if (!check) for (const name of stale) replacePage(name, made.get(name));
    return stale;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function makePages(folder: string): Promise<void> {
  const names = [MAIN, 'catalogue', 'encrypt', 'node-rsa', 'testing', 'webhooks'];
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: names.map((name) => join(SDK, 'src', `${name}.ts`)),
    tsconfig: join(SDK, 'tsconfig.build.json'),
    blockTags: [...OptionDefaults.blockTags, '@minItems', '@maxItems', '@unit'],
    excludeTags: [...OptionDefaults.excludeTags, '@minItems', '@maxItems'],
    // The compiler has its own step.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    readme: 'none',
    name: '@changgu/sdk',
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    router: 'module',
    out: folder,
    logLevel: 'Warn',
    ...markdown,
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => arrange(project));
  const project = await app.convert();
  if (!project) throw new Error('The types of the SDK could not be read.');
  await app.generateOutputs(project);
}

/** One page for each area, and only what a reader can use. */
function arrange(project: ProjectReflection): void {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.Class)) {
    if (!(reflection instanceof DeclarationReflection)) continue;
    const noise = reflection.children?.filter((child) => isNoise(reflection, child)) ?? [];
    for (const child of noise) project.removeReflection(child);
  }
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    // What a function takes apart has no name of its own.
    if (parameter.name === '__namedParameters') parameter.name = 'options';
  }
  const main = project.children?.find(({ name }) => name === MAIN);
  if (!main) throw new Error('The SDK has no main entry.');
  main.name = 'client';
  for (const [name, pattern] of AREAS) {
    const area = new DeclarationReflection(name, ReflectionKind.Module, project);
    project.registerReflection(area, undefined, undefined);
    project.addChild(area);
    const own = main.children?.filter((child) => pattern.test(sourceOf(project, child))) ?? [];
    for (const child of own) {
      main.removeChild(child);
      child.parent = area;
      area.addChild(child);
    }
  }
}

/** Path of the file in which it is declared. */
function sourceOf(project: ProjectReflection, reflection: DeclarationReflection): string {
  return project.getSymbolIdFromReflection(reflection)?.fileName ?? '';
}

function isNoise(owner: DeclarationReflection, child: DeclarationReflection): boolean {
  if (child.kindOf(ReflectionKind.Constructor)) return !MADE_BY_USERS.includes(owner.name);
  if (child.kindOf(ReflectionKind.Method) && child.overwrites) return true;
  return child.inheritedFrom !== undefined;
}

/** The generator also numbers headings after names that only look alike, such as `Billing.account` and `BillingAccount`. */
function mendAnchors(text: string): string {
  const headings = Array.from(text.matchAll(/^#+ (\w+)/gm), ([, name = '']) => name.toLowerCase());
  return text.replaceAll(/\]\(#(\w+)-(\d+)\)/g, (link, name: string, number: string) => {
    const count = headings.filter((heading) => heading === name).length;
    return count > 0 && count <= Number(number) ? `](#${name})` : link;
  });
}

/** As it is kept: pages that comments name by their path become links. */
function textOf(file: string): string {
  const text = mendAnchors(readFileSync(file, 'utf8')).replace('## Modules', ABOUT);
  return text.replaceAll(/(?<![(/\w])docs\/([\w./-]+\.md(?:#[\w-]+)?)/g, '[docs/$1](../../$1)');
}

function pageNames(): readonly string[] {
  return readdirSync(PAGES);
}

function pageOf(name: string): string | undefined {
  return pageNames().includes(name) ? readFileSync(join(PAGES, name), 'utf8') : undefined;
}

function replacePage(name: string, text: string | undefined): void {
  const file = join(PAGES, name);
  if (text === undefined) rmSync(file);
  else writeFileSync(file, text);
}

function seen(): string | null {
  try {
    return readFileSync(SEEN, 'utf8');
  } catch {
    return null;
  }
}

/** Of the sources, the generator and the pages. */
function digest(): string {
  const hash = createHash('sha256');
  const files = [...SOURCES, PAGES].flatMap(filesIn);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function filesIn(path: string): readonly string[] {
  if (/\.\w+$/.test(path)) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
