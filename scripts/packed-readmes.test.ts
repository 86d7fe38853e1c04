import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './specification.ts';

interface Manifest {
  readonly private?: boolean;
  readonly files?: readonly string[];
}

const REPOSITORY = /^https:\/\/github\.com\/changgu\/changgu\/(?:blob|tree)\/main\//;
const manifests = globSync('packages/*/package.json', { cwd: root }).sort();
const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8'));
const published = manifests.filter((path) => !manifestOf(path).private).map(dirname);

function linksOf(readme: string): string[] {
  const text = readFileSync(join(root, readme), 'utf8');
  const inText = text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g);
  const inHtml = text.matchAll(/(?:href|src)="([^"#]+)/g);
  return [...inText, ...inHtml].map(([, target = '']) => target);
}

it('finds the packages that are published', () => {
  expect(published).toContain('packages/sdk');
  expect(published).toContain('packages/server');
});

it.each(published)('%s: its README links to what is packed with it, or to an address', (folder) => {
  const { files = [] } = manifestOf(join(folder, 'package.json'));
  const isPacked = (target: string) =>
    files.some((name) => target === name || target.startsWith(`${name}/`));
  const relative = linksOf(join(folder, 'README.md')).filter((link) => !/^[a-z]+:/.test(link));
  const dead = relative.filter((link) => !isPacked(link) || !existsSync(join(root, folder, link)));
  expect(dead).toEqual([]);
});

it.each(published)('%s: what its README names in the repository is there', (folder) => {
  const links = linksOf(join(folder, 'README.md')).filter((link) => REPOSITORY.test(link));
  const dead = links.filter((link) => !existsSync(join(root, link.replace(REPOSITORY, ''))));
  expect(dead).toEqual([]);
});
