import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from './specification.ts';
import { writeVersions } from './write-versions.ts';

/** All that a release reads and writes. */
const RELEASED = [
  'package.json',
  'pnpm-workspace.yaml',
  '.changeset/*',
  '{packages/*,bench,examples}/package.json',
  'packages/*/src/version.ts',
  'packages/*/server.json',
];

const PUBLISHED = ['sdk', 'cli', 'mcp-bridge', 'server'];

const changeset = join(root, 'node_modules/@changesets/cli/bin.js');

it('raises the versions of all published packages, in every file that repeats them', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'changgu-release-'));
  const copy = folder.path;
  for (const file of RELEASED.flatMap((pattern) => globSync(pattern, { cwd: root }))) {
    cpSync(join(root, file), join(copy, file));
  }
  // As is the day after a release, when nothing has changed yet.
  const news = PUBLISHED.map((name) => `"@changgu/${name}": patch\n`).join('');
  writeFileSync(join(copy, '.changeset/news.md'), `---\n${news}---\n\nSay something new.\n`);
  // For a changelog it asks git about every changeset, which takes half a minute.
  const config = join(copy, '.changeset/config.json');
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  writeFileSync(config, JSON.stringify({ ...settings, changelog: false }));

  await promisify(execFile)(process.execPath, [changeset, 'version'], { cwd: copy });
  writeVersions(copy);

  expect(globSync('.changeset/*.md', { cwd: copy })).toEqual(['.changeset/README.md']);
  const read = (name: string, file: string) =>
    readFileSync(join(copy, 'packages', name, file), 'utf8');
  for (const name of PUBLISHED) {
    const { version } = JSON.parse(read(name, 'package.json'));
    const before = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    expect(version).not.toBe(before.version);
    if (name !== 'server') expect(read(name, 'src/version.ts')).toContain(`= '${version}';`);
    if (name !== 'mcp-bridge') continue;
    expect(JSON.parse(read(name, 'server.json'))).toMatchObject({
      version,
      packages: [{ version }],
    });
  }
}, 120_000);
