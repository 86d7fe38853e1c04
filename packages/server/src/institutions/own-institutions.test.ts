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
const viewed = { type: 'object', properties: { view: { type: 'string' } } } as const;
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

function define(provider: string, actions: readonly OwnAction[]) {
  return defineInstitution({ provider, title: action.title, linkTypes: [], actions });
}

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
    ['one action twice', { actions: [action, { ...action, toolName: 'my_union_again' }] }],
    ['one tool name twice', { actions: [action, { ...action, id: 'my_union.members_list' }] }],
    ['a tool name of the wrong form', { actions: [{ ...action, toolName: 'My__Members' }] }],
    ['a tool name that hosts cut', { actions: [{ ...action, toolName: 'm'.repeat(41) }] }],
    [
      'a param named like an argument of tools (D134)',
      { actions: [{ ...action, params: viewed }] },
    ],
    ['a price in parts', { actions: [{ ...action, usageTokens: 0.5 }] }],
  ])('is refused with %s', (_, wrong) => {
    const own = { provider: 'my_union', title: action.title, linkTypes: [], actions: [action] };
    expect(() => defineInstitution({ ...own, ...wrong })).toThrow(TypeError);
  });

  it('has tool names that tell institutions apart, however long its ids are (D135)', () => {
    const names = [
      'kb_bank',
      'nh_bank',
      'a_savings_bank_of_the_north',
      'a_savings_bank_of_the_south',
    ].flatMap((provider) =>
      ['accounts.transaction_history.search', 'a.transaction_history.search'].map((id) => {
        const own = define(provider, [{ ...action, id: `${provider}.${id}` }]);
        return own.definition?.actions[0]?.toolName ?? '';
      }),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^(?=.{1,40}$)[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(names[0]).toMatch(/^kb_bank_accounts_[0-9a-f]{6}_search$/);
  });

  it('joins the catalog', async () => {
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
    const taken = define('my_union', [{ ...action, toolName: 'bank_a_balance' }]);
    expect(() => withOwnInstitutions(catalog, [taken])).toThrow('bank_a_balance');
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
