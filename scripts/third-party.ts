/**
 * Says of a built package what is in it that others wrote: their licenses (`dist/THIRD_PARTY_LICENSES.txt`), and every
 * package that is bundled or installed with it (`dist/sbom.cdx.json`, CycloneDX). Run in the folder of the package,
 * after a build with esbuild's metafile. Fails on a license that is not on the list.
 *
 *   node ../../scripts/third-party.ts
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const AGREED = new Set([
  '(BSD-3-Clause OR GPL-2.0)',
  '(MIT AND Zlib)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
]);
/** What the bundler of the console writes: the licenses of what it took in. */
const OF_THE_CONSOLE = 'dist/console/third-party.json';

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }
    >
  >;
}

interface ThirdParty {
  readonly name: string;
  readonly version: string | null;
  readonly license: string;
  readonly text: string;
}

interface Bom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: object[];
  readonly dependencies: { readonly ref: string; readonly dependsOn: string[] }[];
}

const metafiles = globSync('dist/**/metafile-*.json');
const bundled = byName([...metafiles.flatMap(bundledBy), ...consoleParts()]);
const refused = bundled.filter(({ license }) => !AGREED.has(license));
if (metafiles.length === 0) throw new Error('No metafile in dist: build with `metafile: true`');
if (refused.length > 0) {
  const names = refused.map(({ name, license }) => `${name} (${license || 'none'})`);
  throw new Error(`Bundled under a license that is not on the list: ${names.join(', ')}`);
}
if (bundled.length > 0) {
  writeFileSync('dist/THIRD_PARTY_LICENSES.txt', bundled.map(chapter).join('\n'));
}
writeFileSync('dist/sbom.cdx.json', JSON.stringify(withBundled(installed()), null, 2));
for (const file of [...metafiles, OF_THE_CONSOLE]) rmSync(file, { force: true });

function bundledBy(file: string): ThirdParty[] {
  const { outputs }: Metafile = JSON.parse(readFileSync(file, 'utf8'));
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path] : [],
    ),
  );
  const folders = inputs.flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  const ours = inputs.filter((path) => !path.includes('node_modules/') && !path.includes(':'));
  return [
    ...[...new Set(folders)].map(packageIn),
    ...[...new Set(ours.map((path) => dirname(path)))].flatMap(fontIn),
  ];
}

function packageIn(folder: string): ThirdParty {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return {
    name,
    version,
    license: typeof license === 'string' ? license : licenseIn(texts),
    text:
      texts.length > 0
        ? texts.join('\n\n')
        : `Copyright: ${author?.name ?? author ?? name}\n${repository?.url ?? repository ?? ''}`,
  };
}

/** Of a package that names its license only in the file. */
function licenseIn(texts: readonly string[]): string {
  return texts.some((text) => text.startsWith('MIT License\n')) ? 'MIT' : '';
}

/** A font cut from another's lies beside that one's license. */
function fontIn(folder: string): ThirdParty[] {
  const file = resolve(folder, 'OFL.txt');
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8').trim();
  return [{ name: 'Korean font of printed documents', version: null, license: 'OFL-1.1', text }];
}

function consoleParts(): ThirdParty[] {
  if (!existsSync(OF_THE_CONSOLE)) return [];
  const parts: (Omit<ThirdParty, 'license'> & { readonly identifier: string })[] = JSON.parse(
    readFileSync(OF_THE_CONSOLE, 'utf8'),
  );
  return parts.flatMap(({ identifier, name, ...part }) =>
    name.startsWith('@changgu/') ? [] : [{ ...part, name, license: identifier }],
  );
}

function byName(parts: readonly ThirdParty[]): ThirdParty[] {
  const once = new Map(parts.map((part) => [refOf(part), part]));
  return [...once.values()].toSorted((a, b) => refOf(a).localeCompare(refOf(b), 'en'));
}

function refOf({ name, version }: ThirdParty): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version ?? ''}`;
}

function chapter({ name, version, license, text }: ThirdParty): string {
  const title = version === null ? name : `${name} ${version}`;
  return `${'='.repeat(80)}\n${title} (${license})\n${'='.repeat(80)}\n\n${text}\n`;
}

/** What comes with the package when it is installed, by the lockfile; without what only its development needs. */
function installed(): Bom {
  const args = ['sbom', '--filter', '.', '--prod', '--lockfile-only', '--sbom-format', 'cyclonedx'];
  const options = { encoding: 'utf8', shell: process.platform === 'win32' } as const;
  return JSON.parse(execFileSync('pnpm', args, options));
}

function withBundled(bom: Bom): Bom {
  const root = bom.metadata.component['bom-ref'];
  const known = new Set(bom.dependencies.map(({ ref }) => ref));
  const added = bundled.filter((part) => part.version !== null && !known.has(refOf(part)));
  return {
    ...bom,
    components: [...bom.components, ...added.map(component)],
    dependencies: bom.dependencies.map((one) =>
      one.ref === root ? { ...one, dependsOn: [...one.dependsOn, ...added.map(refOf)] } : one,
    ),
  };
}

function component(part: ThirdParty) {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(part.name) ?? [];
  const license = part.license.includes(' ')
    ? { expression: part.license }
    : { license: { id: part.license } };
  return {
    type: 'library',
    ...(group === undefined ? {} : { group }),
    name,
    version: part.version,
    purl: refOf(part),
    'bom-ref': refOf(part),
    scope: 'required',
    licenses: [license],
    properties: [{ name: 'changgu:bundled', value: 'true' }],
  };
}
