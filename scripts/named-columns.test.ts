import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './specification.ts';

const STAR = /\.(selectAll|returningAll)\(|\b(select|returning) (\w+\.)?\*/;
/** Tables of the statement itself, whose columns it names further up. */
const DERIVED = /\.selectAll\('found'\)|select \* from changed/g;

const scripts = globSync('packages/server/src/store/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/(testing|migrations)\//.test(file),
);

it('names the columns of every statement, so that an old process survives a column that a new one adds', () => {
  const unnamed = scripts.filter((file) =>
    STAR.test(readFileSync(join(root, file), 'utf8').replaceAll(DERIVED, '')),
  );
  expect(scripts.length).toBeGreaterThan(50);
  expect(unnamed).toEqual([]);
});
