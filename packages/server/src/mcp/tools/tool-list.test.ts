import { loadCatalogue } from '@changgu/contract/catalogue';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientPrincipal } from '../../rules/principals/principal.ts';
import { createToolList } from './tool-list.ts';
import { actionIdOf, toolNameOf } from './tool-names.ts';
import { RESERVED_ARGUMENTS } from './tool-schemas.ts';

const KEY: ClientPrincipal = {
  kind: 'client',
  id: 'cli_1',
  organizationId: 1,
  allowedEnvScopes: ['sandbox'],
  integrationProfile: 'standard_external',
  readOnly: false,
  allowedActions: null,
  allowIrreversibleTools: true,
};

type Tools = ReturnType<ReturnType<typeof createToolList>>;

let actions: Awaited<ReturnType<typeof loadCatalogue>>['actions'];
let tools: Tools;

beforeAll(async () => {
  ({ actions } = await loadCatalogue());
  tools = createToolList([...actions.values()])(KEY, 'ko');
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

describe('the tools', () => {
  it('R111 are the public actions and the job result, each name once', () => {
    const expected = [...actions.values()].filter(({ publicTool }) => publicTool);
    expect(tools.map(({ name }) => name)).toEqual([
      ...expected.map(({ id }) => id.replaceAll('.', '__')),
      'changgu__job__result',
    ]);
    for (const { id } of actions.values()) expect(actionIdOf(toolNameOf(id))).toBe(id);
  });

  it('D147 without irreversible ones for other keys, nor what the key may not run', () => {
    const list = createToolList([...actions.values()]);
    const names = (key: Partial<ClientPrincipal>) =>
      list({ ...KEY, ...key }, 'ko').map(({ name }) => name);
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
      'bank_a__accounts__list',
      'bank_a__accounts__quick_summary__get',
      'changgu__job__result',
    ]);
  });

  it('say all four hints, a title and what they are for, within what hosts keep', () => {
    const english = createToolList([...actions.values()])(KEY, 'en');
    for (const { name, title, description = '', annotations } of [...tools, ...english]) {
      expect(title, name).toBeTruthy();
      expect(description.length, name).toBeGreaterThan(20);
      expect(description.length, name).toBeLessThanOrEqual(1_000);
      expect(
        Object.entries(annotations ?? {}).map(([hint, value]) => [hint, typeof value]),
      ).toEqual([
        ['title', 'string'],
        ['readOnlyHint', 'boolean'],
        ['destructiveHint', 'boolean'],
        ['idempotentHint', 'boolean'],
        ['openWorldHint', 'boolean'],
      ]);
    }
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint);
    expect(destructive).toHaveLength(9);
    for (const { annotations, inputSchema } of destructive) {
      expect(annotations?.readOnlyHint).toBe(false);
      expect(inputSchema.required).toContain('request_id');
    }
  });

  it('have schemas that every host takes: an object, no choice, no list of types, no reference', () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, outputSchema?.type], name).toEqual(['object', 'object']);
      expect(inputSchema.additionalProperties, name).toBe(false);
      expect(Object.keys(outputSchema ?? {}), name).toEqual(['type', 'properties']);
      expect(wordsIn(inputSchema, ['anyOf', ...UNPORTABLE]), name).toEqual([]);
      expect(wordsIn(outputSchema, UNPORTABLE), name).toEqual([]);
    }
  });

  it('ask nobody for a credential', () => {
    const credential =
      /(^|_)(password|passwd|pwd|secret|pin|otp|token|api_?key|private_?key|jumin|ssn|rrn)(_|$)|주민/i;
    for (const { name, inputSchema } of tools) {
      for (const [path] of parts(inputSchema)) {
        const property = path.at(-2) === 'properties' ? (path.at(-1) ?? '') : '';
        expect(property, `${name} ${path.join('.')}`).not.toMatch(credential);
      }
    }
  });

  it('D134 no param has the name of a reserved argument', () => {
    for (const { id, params } of actions.values()) {
      for (const name of Object.keys(RESERVED_ARGUMENTS)) {
        expect(Object.hasOwn(params.properties, name), `${id} ${name}`).toBe(false);
      }
    }
  });

  it('look like this', () => {
    const {
      inputSchema,
      outputSchema: _,
      ...rest
    } = named('tax_portal__t1__credit_card_sales_data');
    expect(rest).toMatchInlineSnapshot(`
      {
        "annotations": {
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": true,
          "readOnlyHint": true,
          "title": "신용카드 등 매출자료 조회",
        },
        "description": "신용카드, 제로페이·온누리, 판매(결제)대행 매출자료를 연도와 분기별로 조회합니다. 먼저 같은 account_link_id로 tax_portal__s1__login 도구를 호출해야 합니다. 같은 호출을 되풀이할 때는 같은 request_id를 보내십시오.",
        "name": "tax_portal__t1__credit_card_sales_data",
        "title": "신용카드 등 매출자료 조회",
      }
    `);
    expect(inputSchema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "account_link_id": {
            "description": "Link (연결 계정) to use; omitted: the representative or only one",
            "type": "string",
          },
          "bsno": {
            "description": "Business registration number (사업자등록번호), 10 digits, hyphens allowed",
            "pattern": "^\\d{3}-?\\d{2}-?\\d{5}$",
            "type": "string",
          },
          "qrt_from": {
            "description": "First quarter, 1 to 4",
            "enum": [
              1,
              2,
              3,
              4,
            ],
            "type": "integer",
          },
          "qrt_to": {
            "description": "Last quarter, 1 to 4, not before the first",
            "enum": [
              1,
              2,
              3,
              4,
            ],
            "type": "integer",
          },
          "request_id": {
            "description": "Idempotency key, best a UUID. Repeat a call with the same one and the job is not submitted again",
            "maxLength": 128,
            "minLength": 1,
            "type": "string",
          },
          "stl_yr": {
            "description": "Settlement year (결제년도), YYYY",
            "pattern": "^20\\d{2}$",
            "type": "string",
          },
        },
        "required": [
          "bsno",
          "stl_yr",
          "qrt_from",
          "qrt_to",
        ],
        "type": "object",
      }
    `);
    expect(named('changgu__job__result').outputSchema).toMatchInlineSnapshot(`
      {
        "properties": {
          "error": {
            "properties": {
              "code": {
                "type": "string",
              },
              "message": {
                "type": "string",
              },
              "next_action": {
                "description": "What to do next",
                "type": "string",
              },
              "safe_to_retry": {
                "type": "boolean",
              },
            },
            "type": "object",
          },
          "job_id": {
            "type": "string",
          },
          "result": {
            "properties": {
              "artifacts": {
                "items": {
                  "type": "object",
                },
                "type": "array",
              },
              "data": {
                "type": "object",
              },
              "download_url": {
                "type": "string",
              },
              "schema": {
                "type": "string",
              },
            },
            "type": "object",
          },
          "result_tool_call": {
            "type": "object",
          },
          "status": {
            "enum": [
              "QUEUED",
              "RUNNING",
              "SUCCEEDED",
              "FAILED",
              "TIMEOUT",
              "CANCELED",
            ],
            "type": "string",
          },
        },
        "type": "object",
      }
    `);
    const { properties } = named('bank_a__accounts__quick_summary__get').inputSchema;
    expect(Object.keys(properties ?? {})).toMatchInlineSnapshot(`
      [
        "bank_account_credential_id",
        "bank_account_credential_ids",
        "all_accounts",
        "encrypted_fields",
        "account_link_id",
        "request_id",
      ]
    `);
  });
});
