import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';

it('the thread of the database loads no library but Kysely, because every start and every process pays for it', () => {
  const program = readFileSync(inject('storeThread'), 'utf8');
  const origins = program.matchAll(
    /^\/\/ .*node_modules\/\.pnpm\/[^/]+\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm,
  );
  const libraries = new Set(Array.from(origins, ([, name]) => name));
  expect(libraries).toEqual(new Set(['canonicalize', 'kysely']));
});
