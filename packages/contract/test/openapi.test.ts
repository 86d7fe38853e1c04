import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { ACTIONS, INSTITUTIONS } from '../src/actions/index.ts';
import { defineOperation } from '../src/define-operation.ts';
import { TAGS } from '../src/openapi/tags.ts';
import { buildOpenApi } from '../src/openapi.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { KST_TIME } from '../src/schemas/vocabulary.ts';

const document = buildOpenApi({ operations: OPERATIONS, institutions: INSTITUTIONS });

const ping = defineOperation({
  id: 'ping',
  method: 'POST',
  path: '/ping/{id}',
  tag: 'system',
  summary: 'Ping',
  may: { client: true, admin_user: true },
  environment: 'required',
  idempotencyKey: 'optional',
  params: Type.Object({ id: Type.String({ description: 'Whom' }) }),
  query: Type.Object({ loud: Type.Optional(Type.Boolean()) }),
  body: Type.Object({ word: Type.String() }, { $id: 'Ping' }),
  responses: {
    200: {
      description: 'Pong',
      schema: Type.Object({
        said: Type.Array(Type.Object({ word: Type.String() }, { $id: 'Ping' })),
      }),
    },
  },
  errors: ['JOB_NOT_FOUND', 'JOB_ALREADY_FINISHED', 'JOB_NOT_CANCELABLE'],
  addition: true,
});

describe('buildOpenApi', () => {
  const built = buildOpenApi({
    operations: [ping],
    institutions: [],
    publicBaseUrl: 'https://c.example',
  });
  const operation = built.paths['/ping/{id}']?.post;

  it('turns every $id into a component and a reference', () => {
    expect(built.components.schemas).toHaveProperty('Ping');
    expect(operation).toMatchObject({
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Ping' } } },
      },
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { properties: { said: { items: { $ref: '#/components/schemas/Ping' } } } },
            },
          },
        },
      },
    });
    expect(JSON.stringify(built)).not.toContain('"$id"');
  });

  it('groups the errors by status, those of its kind beside its own', () => {
    const responses = operation?.responses as Record<
      string,
      { 'x-error-codes'?: readonly string[] }
    >;
    const codes = Object.entries(responses).map(([status, answer]) => [
      status,
      answer['x-error-codes'],
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      200: undefined,
      400: ['VALIDATION_INVALID_FIELD'],
      401: ['AUTH_INVALID_CREDENTIALS'],
      403: ['AUTH_FORBIDDEN_PRINCIPAL', 'POLICY_ENV_NOT_ALLOWED'],
      404: ['JOB_NOT_FOUND'],
      409: ['JOB_ALREADY_FINISHED', 'JOB_NOT_CANCELABLE'],
      413: ['PAYLOAD_TOO_LARGE'],
      415: ['UNSUPPORTED_MEDIA_TYPE'],
      422: ['VALIDATION_INVALID_FIELD'],
      429: ['RATE_LIMITED'],
      500: ['INTERNAL_ERROR'],
      503: ['SERVICE_UNAVAILABLE'],
    });
  });

  it('names who may call, the headers, and that it is an addition (D140)', () => {
    expect(operation).toMatchObject({
      security: [{ client: [] }, { admin_user: [] }],
      'x-addition': true,
      parameters: [
        { name: 'id', in: 'path', required: true, description: 'Whom' },
        { name: 'loud', in: 'query', required: false },
        { $ref: '#/components/parameters/EnvScope' },
        { $ref: '#/components/parameters/OptionalIdempotencyKey' },
        { $ref: '#/components/parameters/TraceId' },
        { $ref: '#/components/parameters/RequestId' },
        { $ref: '#/components/parameters/AcceptLanguage' },
      ],
    });
    expect(built.servers).toEqual([{ url: 'https://c.example' }]);
  });

  it('refuses two different schemas of one name, and a code that never answers', () => {
    const other = { ...ping, body: Type.Object({ a: Type.Number() }, { $id: 'Ping' }) };
    expect(() => buildOpenApi({ operations: [ping, other], institutions: [] })).toThrow(
      /named Ping/,
    );
    const lost = { ...ping, errors: ['JOB_WORKER_LOST'] as const };
    expect(() => buildOpenApi({ operations: [lost], institutions: [] })).toThrow(/JOB_WORKER_LOST/);
  });
});

describe('the document of the service', () => {
  it('has every operation once, under a tag with a description', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(
      ids.length,
    );
    for (const { id, tag } of OPERATIONS) expect(TAGS, id).toHaveProperty(tag);
  });

  it('shows one submission per action', () => {
    const submit = JSON.stringify(document.paths['/v1/jobs']?.post);
    for (const id of ACTIONS.keys()) expect(submit).toContain(`"action":"${id}"`);
  });

  it('defines everything that it refers to', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = '', name = ''] of references) {
      expect(document.components[kind], `${kind}/${name}`).toHaveProperty([name]);
    }
  });

  it('D95 D123 has neither half an OAuth server nor half an event channel', () => {
    expect(document).not.toHaveProperty('webhooks');
    const words = OPERATIONS.flatMap(({ id, path }) => [id, path]).join(' ');
    expect(words).not.toMatch(/oauth|authorize|webhook|event|subscribe\b|callback/i);
    expect(Object.values(document.components.securitySchemes ?? {})).not.toContainEqual(
      expect.objectContaining({ type: 'oauth2' }),
    );
  });

  it('D143 every time that it answers is Korean, to the millisecond', () => {
    const times = OPERATIONS.filter(({ tag }) => tag !== 'tax-portal').flatMap(
      ({ id, responses }) =>
        Object.values(responses).flatMap(({ schema }) => [...timesOf(schema, id)]),
    );
    expect(times.length).toBeGreaterThan(80);
    const others = times.filter(([, schema]) => schema.pattern !== KST_TIME);
    expect(others.map(([where]) => where)).toEqual([]);
    const matches = (text: string) => new RegExp(KST_TIME).test(text);
    expect(matches('2026-11-21T09:00:00.000+09:00')).toBe(true);
    for (const wrong of ['2026-11-21T00:00:00.000Z', '2026-11-21T09:00:00+09:00', '2026-11-21']) {
      expect(matches(wrong), wrong).toBe(false);
    }
  });
});

interface TimeSchema {
  readonly format?: string;
  readonly pattern?: string;
}

/** Properties that hold a moment, by format or by name. What an institution said is the connectors' to prove. */
function* timesOf(schema: unknown, where: string): Generator<readonly [string, TimeSchema]> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, part] of Object.entries(schema)) {
    if (typeof part !== 'object' || part === null) continue;
    const isTime = part.format === 'date-time' || (part.type && /(^|_)(at|time|now)$/.test(key));
    if (isTime) yield [`${where} ${key}`, part];
    else yield* timesOf(part, where);
  }
}
