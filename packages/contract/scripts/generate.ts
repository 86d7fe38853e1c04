/** Writes everything derived from the definitions; with --check fails when a file on disk differs. */
import { readFile, writeFile } from 'node:fs/promises';
import { generateAll, ROOT } from './generators/all.ts';

const check = process.argv.includes('--check');
const stale: string[] = [];

for (const [path, content] of await generateAll()) {
  const file = new URL(path, ROOT);
  const current = await readFile(file, 'utf8').catch(() => null);
  if (current === content) continue;
  stale.push(path);
  if (!check) await writeFile(file, content);
}

for (const path of stale) console.log(`${check ? 'stale' : 'wrote'} ${path}`);
if (check && stale.length > 0) {
  console.error('Generated files differ from their definitions: run `pnpm generate` and commit.');
  process.exitCode = 1;
}
