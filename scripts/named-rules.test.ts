import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSpecification, root } from './specification.ts';

function namedIn(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  // A comment proves nothing.
  const code = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join('\n');
  return code.match(/\b[RD]\d{1,3}\b/g) ?? [];
}

const files = globSync('{packages,examples}/*/{src,test}/**/*.test.ts', { cwd: root }).concat(
  globSync('examples/test/*.test.ts', { cwd: root }),
);
const named = new Set(files.flatMap(namedIn));
const { numbers, planned, replaced } = readSpecification();

it('names every rule and every decision in a test', () => {
  const missing = [...numbers].filter(
    (number) => !named.has(number) && !planned.has(number) && !replaced.has(number),
  );
  expect(missing).toEqual([]);
});

it('calls no decision planned that a test already names', () => {
  const built = [...planned].filter((number) => named.has(number));
  expect(built, 'remove ", planned" from their headings in docs/specification').toEqual([]);
});
