import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { ACTIONS, INSTITUTIONS } from '../src/actions/index.ts';
import { defineOperation, type Operation } from '../src/define-operation.ts';
import { EVENT_TYPES } from '../src/events.ts';
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

  it('names the refusal of a token without the scope, where tokens need one', () => {
    const refusals = (each: Operation) =>
      buildOpenApi({ operations: [each], institutions: [] }).paths['/ping/{id}']?.post?.responses;
    expect(refusals({ ...ping, scope: 'jobs:submit' })).toMatchObject({
      403: { 'x-error-codes': expect.arrayContaining(['AUTH_INSUFFICIENT_SCOPE']) },
    });
    expect(JSON.stringify(refusals(ping))).not.toContain('AUTH_INSUFFICIENT_SCOPE');
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
    const silent = { ...ping, errors: ['ENCRYPTED_FIELD_DUPLICATE'] as const };
    expect(() => buildOpenApi({ operations: [silent], institutions: [] })).toThrow(
      /ENCRYPTED_FIELD_DUPLICATE/,
    );
  });
});

describe('the document of the service', () => {
  it('says for every type of event which schema it has', () => {
    const { schemas = {} } = document.components;
    const { oneOf, discriminator } = schemas.EventRecord as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe('type');
    expect(Object.keys(discriminator.mapping).sort()).toEqual([...EVENT_TYPES].sort());
    expect(new Set(Object.values(discriminator.mapping))).toEqual(
      new Set(oneOf.map(({ $ref }) => $ref)),
    );
    for (const [type, reference] of Object.entries(discriminator.mapping)) {
      const schema = schemas[reference.replace('#/components/schemas/', '')];
      expect(schema, type).toMatchObject({
        properties: { type: { enum: expect.arrayContaining([type]) } },
      });
    }
  });

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

  describe('declares', () => {
    const answerOf = (path: string, method: string, status: number) => {
      const responses = document.paths[path]?.[method]?.responses as Record<
        string,
        { headers: object; content?: Record<string, { schema: object }> }
      >;
      return responses[status];
    };

    it.each([
      ['/v1/jobs', 'post', 202, ['Deprecation', 'Sunset', 'RateLimit', 'RateLimit-Policy']],
      ['/v1/jobs', 'post', 200, ['Idempotent-Replayed', 'Preference-Applied', 'Deprecation']],
      ['/v1/jobs/{job_id}', 'get', 200, ['Retry-After', 'Preference-Applied', 'Deprecation']],
      ['/v1/jobs/{job_id}/result', 'get', 409, ['Retry-After', 'RateLimit']],
      ['/v1/jobs', 'post', 429, ['Retry-After', 'RateLimit', 'RateLimit-Policy']],
      ['/v1/jobs/all-accounts', 'post', 200, ['Idempotent-Replayed']],
      ['/tax_portal/products/v1/a/s1/login', 'post', 200, ['Idempotent-Replayed']],
      ['/tax_portal/products/v1/a/s1/login', 'post', 202, ['Idempotent-Replayed']],
    ])('the headers of %s %s %i (D13, D31, D43, D121, D137)', (path, method, status, names) => {
      const { headers = {} } = answerOf(path, method, status) ?? {};
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(names));
    });

    it('that a body with required fields is required (D19)', () => {
      const declared = OPERATIONS.filter(({ body }) => body !== undefined && needsFields(body));
      expect(declared.map(({ id }) => id)).toContain('taxPortalPaymentStatement');
      const optional = declared.filter(({ bodyRequired }) => bodyRequired === false);
      expect(optional.map(({ id }) => id)).toEqual([]);
    });

    it('who must send a password (D90)', () => {
      for (const name of ['DeletionRequest', 'DeletionCancelRequest']) {
        const path = ['schemas', name, 'properties', 'password', 'description'];
        expect(document.components).toHaveProperty(path, expect.stringMatching(/^Required\./));
      }
    });

    it('no rate limit where there is none (D43)', () => {
      expect(answerOf('/v1/jobs', 'post', 401)?.headers).not.toHaveProperty('RateLimit');
      expect(answerOf('/v1/auth/login', 'post', 200)?.headers).not.toHaveProperty('RateLimit');
    });

    it('that a call of tools may be refused as JSON-RPC, and how it chooses tools (D134)', () => {
      expect(answerOf('/mcp', 'post', 400)?.content?.['application/json']?.schema).toEqual({
        anyOf: [
          { $ref: '#/components/schemas/ErrorEnvelope' },
          { $ref: '#/components/schemas/McpResponse' },
        ],
      });
      expect(document.paths['/mcp']?.post?.parameters).toContainEqual(
        expect.objectContaining({ name: 'X-Mcp-Toolsets', in: 'header', 'x-addition': true }),
      );
    });
  });

  it('defines everything that it refers to', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = '', name = ''] of references) {
      expect(document.components[kind], `${kind}/${name}`).toHaveProperty([name]);
    }
  });

  it('marks what goes beyond the specification, and nothing else (D140)', () => {
    const added = new Set(OPERATIONS.filter(({ addition }) => addition).map(({ id }) => id));
    const specified = OPERATIONS.filter(
      ({ id, tag }) => tag !== 'tax-portal' && !added.has(id),
    ).map(({ method, path }) => `${method} ${path}`);
    expect(specified.toSorted()).toEqual(SPECIFIED.toSorted());
    for (const { id, method, path } of OPERATIONS) {
      const marked = document.paths[path]?.[method.toLowerCase()]?.['x-addition'] ?? false;
      expect(marked, id).toBe(added.has(id));
    }
    const submit = document.paths['/v1/jobs']?.post?.parameters;
    for (const name of ['Prefer', 'X-Sandbox-Outcome']) {
      expect(submit).toContainEqual(expect.objectContaining({ name, 'x-addition': true }));
    }
    for (const name of ['read_only', 'allowed_actions', 'allow_irreversible_tools']) {
      const path = ['schemas', 'AppCredentialIssueRequest', 'properties', name, 'x-addition'];
      expect(document.components).toHaveProperty(path, true);
    }
  });

  it('has the whole of the webhook channel, and no second one (D123)', () => {
    const paths = OPERATIONS.filter(({ tag }) => tag === 'webhooks').map(
      ({ method, path }) =>
        `${method} ${path.replace('/v1/webhooks', '').replace('/{webhook_id}', '/id')}`,
    );
    expect(paths.toSorted()).toEqual([
      'DELETE /id',
      'GET ',
      'GET /id',
      'GET /id/deliveries',
      'PATCH /id',
      'POST ',
      'POST /id/deliveries/{delivery_id}/replay',
      'POST /id/replay',
      'POST /id/rotate',
      'POST /id/test',
    ]);
    const others = OPERATIONS.filter(({ tag }) => tag !== 'webhooks');
    const words = others.flatMap(({ id, path }) => [id, path]).join(' ');
    expect(words).not.toMatch(/webhook|subscribe\b|callback/i);
  });

  it('a download has the type of its file, whatever that is', () => {
    const download = document.paths['/v1/artifacts/{artifact_id}/download']?.get;
    for (const status of ['200', '206']) {
      expect(download).toHaveProperty(['responses', status, 'content', '*/*']);
    }
  });

  it('every time that it answers is Korean, to the millisecond (D143)', () => {
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

/** The endpoints of the base specification, including those whose paths are decided in docs/specification. */
const SPECIFIED = [
  'POST /v1/jobs',
  'GET /v1/jobs/{job_id}',
  'GET /v1/jobs/{job_id}/result',
  'DELETE /v1/jobs/{job_id}/artifacts',
  'POST /v1/jobs/all-accounts',
  'GET /v1/artifacts/{artifact_id}/download',
  'GET /v1/crypto/public-key',
  'POST /v1/auth/register',
  'POST /v1/auth/login',
  'POST /v1/me/password',
  'POST /v1/oauth/interactions/{uid}/approve',
  'POST /v1/oauth/interactions/{uid}/deny',
  'POST /v1/me/deletion-requests',
  'DELETE /v1/me/deletion-requests/{request_uuid}',
  'POST /v1/me/env-access-requests',
  'POST /v1/me/integrator-applications',
  'POST /v1/me/integrator-applications/reissue',
  'POST /v1/handoff/exchange',
  'POST /v1/consents',
  'POST /v1/app-credentials',
  'POST /v1/app-credentials/{client_id}/revoke',
  'POST /v1/credentials/link',
  'POST /v1/credentials/consent-url',
  'PUT /v1/credentials/{account_link_id}/selected-assets',
  'POST /v1/credentials/{account_link_id}/unlink',
  'POST /v1/credentials/{account_link_id}/bank-accounts',
  'GET /v1/credentials/{account_link_id}/bank-accounts',
  'GET /v1/credentials/{account_link_id}/bank-accounts/{bank_account_credential_id}',
  'PATCH /v1/credentials/{account_link_id}/bank-accounts/{bank_account_credential_id}',
  'GET /v1/membership/me',
  'GET /v1/products',
  'GET /v1/products/{id}',
  'POST /v1/products',
  'GET /v1/billing/invoices',
  'GET /v1/billing/offline-profiles/{organization_id}',
  'PUT /v1/billing/offline-profiles/{organization_id}',
  'POST /v1/billing/auth-sessions',
  'POST /mcp',
  'GET /health',
];

function needsFields(body: object): boolean {
  return 'required' in body && Array.isArray(body.required) && body.required.length > 0;
}

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
