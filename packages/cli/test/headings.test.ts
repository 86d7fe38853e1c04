import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultHeadingsKo } from '@changgu/contract/result-headings-ko';
import { Invoice, ProductRecord } from '@changgu/contract/schemas';
import { loadCatalogue } from '@changgu/sdk/catalogue';
import { describe, expect, it } from 'vitest';
import { headingsKo } from '../src/texts/headings-ko.ts';

const COMMANDS = join(import.meta.dirname, '..', 'src', 'commands');

/** What the shapes of all commands show, as their source names it. */
function shownColumns(): string[] {
  const sources = globSync('**/*.ts', { cwd: COMMANDS }).map((file) =>
    readFileSync(join(COMMANDS, file), 'utf8'),
  );
  const lists = sources.flatMap((source) => [
    ...source.matchAll(
      /\b(?:columns|details): \[([^\]]*)\]|(?:fieldsOf<[^(]*>\(\)\(|const NAMES = )\[([^\]]*)\]/g,
    ),
  ]);
  const names = lists.flatMap(([, list, fields = '']) => [
    ...(list ?? fields).matchAll(/'([a-z_0-9]+)'/g),
  ]);
  return [...new Set(names.map(([, name = '']) => name))];
}

/** Every name in the schema of a result, however deep. */
function namesIn(schema: unknown): string[] {
  const { properties = {}, items }: { properties?: object; items?: unknown } = Object(schema);
  const inner = Object.entries(properties).flatMap(([name, one]) => [name, ...namesIn(one)]);
  return items === undefined ? inner : [...inner, ...namesIn(items)];
}

describe('headings', () => {
  it('every column that a command shows has a Korean heading', () => {
    const columns = shownColumns();
    expect(columns.length).toBeGreaterThan(80);
    expect(columns.filter((name) => !Object.hasOwn(headingsKo, name))).toEqual([]);
  });

  it.each([
    ['invoice', Invoice],
    ['product', ProductRecord],
  ])('every name in an %s, which is shown whole, has one, too', (_, schema) => {
    const names = namesIn(schema);
    expect(names.length).toBeGreaterThan(10);
    const known = { ...resultHeadingsKo, ...headingsKo };
    expect([...new Set(names)].filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  });

  it('every name in the result of a built-in action has one, too', async () => {
    const { actions } = await loadCatalogue();
    const names = [...actions.values()].flatMap(({ result }) => namesIn(result));
    expect(names.length).toBeGreaterThan(200);
    const unknown = [...new Set(names)].filter((name) => !Object.hasOwn(resultHeadingsKo, name));
    expect(unknown).toEqual([]);
  });
});
