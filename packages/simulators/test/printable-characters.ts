import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../src', import.meta.url));

/** Every character in the sources of this package, so every one that a document can show. */
export function printableCharacters(): string {
  const files = globSync('**/*.ts', { cwd: sources }).filter((file) => !file.includes('generated'));
  const text = files.map((file) => readFileSync(`${sources}/${file}`, 'utf8')).join('');
  return [...new Set(text)]
    .filter((character) => character >= ' ')
    .toSorted()
    .join('');
}
