import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** `R1` to `R134`, `D01` to `D157`: the rules and decisions that tests are named by. */
function namesOf(letter: 'R' | 'D', count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    letter === 'R' ? `R${index + 1}` : `D${String(index + 1).padStart(2, '0')}`,
  );
}

function namedIn(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  // A comment proves nothing.
  const code = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join('\n');
  return code.match(/\b[RD]\d{1,3}\b/g) ?? [];
}

it('every rule and every decision is named by a test', () => {
  const files = globSync('{packages,examples}/*/{src,test}/**/*.test.ts', { cwd: root }).concat(
    globSync('examples/test/*.test.ts', { cwd: root }),
  );
  const named = new Set(files.flatMap(namedIn));
  const missing = [...namesOf('R', 134), ...namesOf('D', 157)].filter((name) => !named.has(name));
  expect(missing).toEqual([]);
});
