import { loadCatalogue, RESERVED_PARAMS } from '@changgu/contract/catalogue';
import { beforeAll, describe, expect, it } from 'vitest';
import { modelTokens as tokens } from '../../../../contract/test/model-tokens.ts';
import type { ClientPrincipal } from '../../rules/principals/principal.ts';
import { createToolList } from './tool-list.ts';
import { actionIdOf, toolNameOf } from './tool-names.ts';
import { toolsetsOf } from './toolsets.ts';

const KEY: ClientPrincipal = {
  kind: 'client',
  id: 'cli_1',
  organizationId: 1,
  allowedEnvScopes: ['sandbox'],
  integrationProfile: 'standard_external',
  readOnly: false,
  allowedActions: null,
  allowIrreversibleTools: true,
  manageWebhooks: false,
  scopes: null,
};

type Tools = ReturnType<ReturnType<typeof createToolList>>;

let actions: Awaited<ReturnType<typeof loadCatalogue>>['actions'];
let institutions: Awaited<ReturnType<typeof loadCatalogue>>['institutions'];
let tools: Tools;

beforeAll(async () => {
  ({ actions, institutions } = await loadCatalogue());
  tools = createToolList(institutions)(KEY, 'ko', toolsetsOf('all'));
});

/** Every schema inside a schema, with the names on the way. */
function* parts(schema: unknown, path: readonly string[] = []): Generator<[string[], object]> {
  if (typeof schema !== 'object' || schema === null) return;
  yield [[...path], schema];
  for (const [name, child] of Object.entries(schema)) yield* parts(child, [...path, name]);
}

const UNPORTABLE = ['oneOf', 'allOf', 'if', '$ref', 'x-untrusted-text'];

/** Where a schema uses one of these keywords, or a list of types. */
function wordsIn(schema: unknown, words: readonly string[]): string[] {
  return [...parts(schema)].flatMap(([path, part]) => {
    if (path.at(-1) === 'properties') return [];
    const types = 'type' in part && Array.isArray(part.type) ? ['type'] : [];
    const used = [...words.filter((word) => Object.hasOwn(part, word)), ...types];
    return used.map((word) => [...path, word].join('.'));
  });
}

const named = (name: string) => {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no ${name}`);
  return tool;
};

const CORE = [
  'changgu__accounts__list',
  'changgu__actions__search',
  'changgu__actions__describe',
  'changgu__actions__run',
  'changgu__job__result',
];

describe('the tools', () => {
  it('are the public actions and those of the service, each name once (R111)', () => {
    const expected = [...actions.values()].filter(({ publicTool }) => publicTool);
    expect(tools.map(({ name }) => name)).toEqual([
      ...CORE,
      ...expected.map(({ id }) => id.replaceAll('.', '__')),
    ]);
    for (const { id } of actions.values()) expect(actionIdOf(toolNameOf(id))).toBe(id);
  });

  it('have no other name: an action id is none (D163)', () => {
    expect(actionIdOf('bank_a.accounts.list')).toBeNull();
  });

  it('are all listed to a caller that names no toolsets, for at most 6,000 tokens (R111)', () => {
    for (const language of ['ko', 'en'] as const) {
      const list = createToolList(institutions)(KEY, language, toolsetsOf(null));
      expect(list.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
      expect(tokens({ jsonrpc: '2.0', id: 1, result: { tools: list } })).toBeLessThanOrEqual(6_000);
    }
  });

  it('are listed by toolset', () => {
    const names = (header: string | null) =>
      createToolList(institutions)(KEY, 'ko', toolsetsOf(header)).map(({ name }) => name);
    const providers = (header: string | null) =>
      new Set(
        names(header)
          .slice(CORE.length)
          .map((name) => name.split('__')[0]),
      );
    const banks = ['bank_a', 'bank_b', 'bank_c', 'bank_d'];
    expect(names(null)).toEqual(names('all'));
    expect(providers('bank,tax')).toEqual(new Set(['tax_portal', ...banks]));
    expect(providers('insurance')).toEqual(new Set(['si_edi']));
    expect(providers(' Bank,insurance')).toEqual(new Set(['si_edi', ...banks]));
    expect(names('none')).toEqual(CORE);
    expect(names(' , ')).toEqual(names(null));
    expect(() => names('bank,banks')).toThrow('unknown toolsets: banks. Known names: bank, tax');
  });

  it('leave irreversible ones to keys issued for them, and what the key may not run (D147)', () => {
    const list = createToolList(institutions);
    const names = (key: Partial<ClientPrincipal>) =>
      list({ ...KEY, ...key }, 'ko', toolsetsOf('all')).map(({ name }) => name);
    const irreversible = [...actions.values()]
      .filter((action) => action.irreversible)
      .map(({ id }) => toolNameOf(id));
    expect(irreversible).toHaveLength(9);
    for (const key of [{ allowIrreversibleTools: false }, { readOnly: true }]) {
      const left = names(key);
      expect(left.length).toBe(tools.length - 9);
      expect(left.filter((name) => irreversible.includes(name))).toEqual([]);
    }
    expect(names({ allowedActions: ['bank_a.*'] })).toEqual([
      ...CORE,
      'bank_a__accounts__list',
      'bank_a__accounts__quick_summary__get',
    ]);
  });

  it('say what they change and what they are for, within what hosts keep', () => {
    const english = createToolList(institutions)(KEY, 'en', toolsetsOf('all'));
    for (const { name, description = '', annotations } of [...tools, ...english]) {
      expect(description.length, name).toBeGreaterThan(5);
      expect(description.length, name).toBeLessThanOrEqual(1_000);
      const { readOnlyHint, destructiveHint } = annotations ?? {};
      // The protocol gives the second a meaning only where the first is false.
      const expected = readOnlyHint ? [true, 'undefined'] : [false, 'boolean'];
      expect([readOnlyHint, typeof destructiveHint], name).toEqual(expected);
    }
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint);
    expect(destructive).toHaveLength(10);
    for (const { name, annotations, inputSchema } of destructive) {
      expect(annotations?.readOnlyHint).toBe(false);
      if (!CORE.includes(name)) expect(inputSchema.required).toContain('request_id');
    }
  });

  it('call a login what opens a session, whatever it is named', () => {
    const action = actions.get('tax_portal.s1.user_info');
    const portal = institutions.find(({ provider }) => provider === 'tax_portal');
    if (action === undefined || portal === undefined) throw new Error('the tax portal is gone');
    const own = {
      ...portal,
      actions: [
        { ...action, loginAction: 'tax_portal.sign_in' },
        { ...action, id: 'tax_portal.sign_in', loginAction: null },
        { ...action, id: 'tax_portal.check_weblogin', loginAction: null },
      ],
    };
    const listed = createToolList([own])(KEY, 'en', toolsetsOf('all'));
    const writing = listed.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name }) => name).filter((name) => !CORE.includes(name))).toEqual([
      'tax_portal__sign_in',
    ]);
    const logins = tools.filter(({ annotations }) => annotations?.idempotentHint === true);
    expect(logins.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'tax_portal__s1__login',
        'employment__auth__npki_session__login',
        'si_edi__auth__session__login',
      ]),
    );
  });

  it('have schemas that every host takes: an object, no choice, no list of types, no reference', () => {
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.type, name).toBe('object');
      expect(inputSchema.additionalProperties, name).toBe(false);
      expect(wordsIn(inputSchema, ['anyOf', ...UNPORTABLE]), name).toEqual([]);
    }
  });

  it('take a request_id, also where it changes nothing (D125)', () => {
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.properties, name).toHaveProperty('request_id', { type: 'string' });
    }
  });

  it('say that naming accounts takes at least one (R67)', () => {
    const expected = { type: 'array', minItems: 1, items: { type: 'string' } };
    for (const name of ['bank_c__accounts__transaction_history__search', CORE[3] ?? '']) {
      const { properties } = named(name).inputSchema;
      expect(properties, name).toHaveProperty('bank_account_credential_ids', expected);
    }
  });

  it('show words to choose from, how a date is written, and no codes without their meanings', () => {
    const properties = (name: string) => named(name).inputSchema.properties;
    expect(properties('bank_b__accounts__transaction_history__search')).toMatchObject({
      from_date: { type: 'string', description: 'First day, YYYYMMDD' },
      direction: { type: 'string', enum: ['all', 'in', 'out'] },
    });
    expect(properties('tax_portal__c1__vat_standard')).toMatchObject({
      purpose_code: { type: 'string', description: '사용용도' },
      language: { type: 'string', enum: ['EN', 'KO'] },
    });
    expect(properties('tax_portal__e1__invoice_summary')).toHaveProperty('search_types', {
      type: 'array',
      items: { type: 'string' },
      description: 'Which invoices',
    });
    expect(properties('si_edi__b1__resources__files__download')).toHaveProperty('dry_run', {
      type: 'boolean',
    });
  });

  it('never ask for a credential', () => {
    const credential =
      /(^|_)(password|passwd|pwd|secret|pin|otp|api_?key|private_?key|jumin|ssn|rrn)(_|$)|주민/i;
    for (const { name, inputSchema } of tools) {
      for (const [path] of parts(inputSchema)) {
        const property = path.at(-2) === 'properties' ? (path.at(-1) ?? '') : '';
        expect(property, `${name} ${path.join('.')}`).not.toMatch(credential);
      }
    }
  });

  it('have no param with the name of a reserved argument (D134)', () => {
    for (const { id, params } of actions.values()) {
      for (const name of RESERVED_PARAMS) {
        expect(Object.hasOwn(params.properties, name), `${id} ${name}`).toBe(false);
      }
    }
  });

  it('look like this', () => {
    expect(named('tax_portal__t1__credit_card_sales_data')).toMatchInlineSnapshot(`
      {
        "annotations": {
          "readOnlyHint": true,
        },
        "description": "신용카드 등 매출자료 조회. 로그인 필요.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "account_link_id": {
              "type": "string",
            },
            "bsno": {
              "description": "사업자등록번호",
              "type": "string",
            },
            "qrt_from": {
              "enum": [
                1,
                2,
                3,
                4,
              ],
              "type": "integer",
            },
            "qrt_to": {
              "enum": [
                1,
                2,
                3,
                4,
              ],
              "type": "integer",
            },
            "request_id": {
              "type": "string",
            },
            "stl_yr": {
              "description": "Settlement year, YYYY",
              "type": "string",
            },
            "view": {
              "type": "object",
            },
          },
          "required": [
            "bsno",
            "stl_yr",
            "qrt_from",
            "qrt_to",
          ],
          "type": "object",
        },
        "name": "tax_portal__t1__credit_card_sales_data",
      }
    `);
  });
});
