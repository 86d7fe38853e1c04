import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '@changgu/contract/catalogue';
import { afterAll, describe, expect, it } from 'vitest';
import { defineConnectors } from './connector.ts';
import { defineInstitution, type OwnAction } from './define-institution.ts';
import { InstitutionError } from './institution-error.ts';
import { loadOwnInstitutions, withOwnInstitutions } from './own-institutions.ts';

const nothing = { type: 'object', properties: {} } as const;
const action: OwnAction = {
  id: 'my_union.members.list',
  title: { ko: '조합원 목록', en: 'Members' },
  params: nothing,
  result: nothing,
  connector: async () => ({}),
};
const institution = defineInstitution({
  provider: 'my_union',
  title: { ko: '우리 조합', en: 'My union' },
  linkTypes: ['id_password'],
  actions: [action],
});

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

async function moduleOf(source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-connectors-'));
  directories.push(directory);
  const path = join(directory, 'connectors.mjs');
  await writeFile(path, source);
  return path;
}

describe("a team's own institution (D149)", () => {
  it('has the usual defaults', () => {
    expect(institution.definition?.actions).toMatchObject([
      {
        usageTokens: 1,
        irreversible: false,
        timeoutSeconds: 120,
        toolName: 'my_union_members_list',
      },
    ]);
  });

  it.each([
    ['a provider of the wrong form', { provider: 'My-Union' }],
    ['an action of another provider', { actions: [{ ...action, id: 'bank_a.x' }] }],
    ['a name that no tool can have', { actions: [{ ...action, id: 'my_union.a__b' }] }],
    ['a time that no job may take', { actions: [{ ...action, timeoutSeconds: 2_592_000 }] }],
    ['no time at all', { actions: [{ ...action, timeoutSeconds: 0 }] }],
    ['a price below nothing', { actions: [{ ...action, usageTokens: -5 }] }],
    ['a price in parts', { actions: [{ ...action, usageTokens: 0.5 }] }],
  ])('is refused with %s', (_, wrong) => {
    const own = { provider: 'my_union', title: action.title, linkTypes: [], actions: [action] };
    expect(() => defineInstitution({ ...own, ...wrong })).toThrow(TypeError);
  });

  it('joins the catalogue', async () => {
    const catalog = withOwnInstitutions(await loadCatalogue(), [institution]);
    expect(catalog.institutions).toHaveLength(8);
    expect(catalog.actions.get(action.id)?.provider).toBe('my_union');
  });

  it('may bring its own way to a known one, but not its definition', async () => {
    const catalog = await loadCatalogue();
    const ours = defineConnectors('bank_a', { 'bank_a.accounts.list': async () => ({}) });
    expect(withOwnInstitutions(catalog, [ours]).actions.size).toBe(catalog.actions.size);
    const unknown = defineConnectors('bank_a', { 'bank_a.loans.list': async () => ({}) });
    expect(() => withOwnInstitutions(catalog, [unknown])).toThrow('bank_a.loans.list');
    const twice = [institution, institution];
    expect(() => withOwnInstitutions(catalog, twice)).toThrow('my_union is defined already');
  });

  it('comes from the exports of a module', async () => {
    const path = await moduleOf(
      'const one = { provider: "a", connectors: {} };\nexport default [one];\nexport const again = one;',
    );
    expect(await loadOwnInstitutions(path)).toEqual([{ provider: 'a', connectors: {} }]);
  });

  it.each([
    ['exports none', 'export const x = 1;', 'exports no institution'],
    ['does not run', 'throw new Error("boom");', 'cannot load'],
  ])('a module that %s is an error at the start', async (_, source, message) => {
    await expect(loadOwnInstitutions(await moduleOf(source))).rejects.toThrow(message);
  });

  it('may throw the error of another copy of this package', () => {
    const brand = Symbol.for('@changgu/server:InstitutionError');
    const foreign = Object.assign(new Error('PROVIDER_MAINTENANCE'), { [brand]: true });
    expect(foreign).toBeInstanceOf(InstitutionError);
    expect(new Error('x')).not.toBeInstanceOf(InstitutionError);
  });
});
