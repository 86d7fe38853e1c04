import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Addresses of all modules that importing a face loads, in its own process. */
async function loadedBy(face: string, then = ''): Promise<readonly string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    const face = await import('@changgu/contract${face}');
    ${then}
    console.log(JSON.stringify(urls));`;
  const args = ['--conditions=@changgu/source', '--input-type=module', '--eval', script];
  const { stdout } = await run(process.execPath, args, { cwd: ROOT });
  return JSON.parse(stdout);
}

const outside = (urls: readonly string[]) => urls.filter((url) => /node_modules|^node:/.test(url));

/** Everything that a source file imports, types too, followed through our own files. */
async function importsOf(file: URL, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  const source = await readFile(file, 'utf8');
  for (const [, name = ''] of source.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'/g)) {
    if (name.endsWith('.ts')) await importsOf(new URL(name, file), seen);
    else seen.add(name);
  }
  return seen;
}

describe('the faces of the contract', () => {
  it('the types of the plain faces name no dependency', async () => {
    for (const face of ['index', 'catalogue']) {
      const imports = await importsOf(new URL(`../src/${face}.ts`, import.meta.url));
      expect(imports.size).toBeGreaterThan(3);
      expect([...imports].filter((name) => !name.startsWith('file:') && name !== '')).toEqual([]);
    }
    const schemas = await importsOf(new URL('../src/schemas.ts', import.meta.url));
    expect([...schemas]).toContain('typebox');
  });

  it('the plain face loads no dependency', async () => {
    const urls = await loadedBy('');
    expect(urls.some((url) => url.endsWith('src/index.ts'))).toBe(true);
    expect(outside(urls)).toEqual([]);
    expect(urls.filter((url) => /catalogue|generated\/(?!next-steps)/.test(url))).toEqual([]);
  });

  it('the catalog face loads no dependency, and its data on first use only', async () => {
    expect((await loadedBy('/catalogue')).filter((url) => url.endsWith('.json'))).toEqual([]);
    const urls = await loadedBy('/catalogue', 'await face.loadCatalogue();');
    expect(urls.filter((url) => url.endsWith('catalogue.json'))).toHaveLength(1);
    expect(outside(urls)).toEqual([]);
  });

  it('the schemas face does load TypeBox, so this test would notice', async () => {
    expect((await loadedBy('/schemas')).some((url) => url.includes('/typebox/'))).toBe(true);
  });
});
