import { gzipSync } from 'node:zlib';
import { defineOperation, operations } from '@changgu/contract/schemas';
import type { InjectOptions } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { basic, testApp } from '../../test/support/http-app.ts';
import { ServiceError } from '../service-error.ts';
import type { HttpApp } from './app.ts';
import { route } from './route.ts';

const { submitJob, readJob, deleteJobArtifacts, cancelJob } = operations.jobs;

const ACCEPTED = {
  job_id: 'job_01JD0000000000000000000000',
  status: 'QUEUED',
  env_scope: 'sandbox',
  provider: 'bank_a',
  action: 'bank_a.accounts.list',
  submitted_at: '2026-11-21T09:00:00.000+09:00',
} as const;

const BODY = { provider: 'bank_a', action: 'bank_a.accounts.list' };
const HEADERS = {
  authorization: basic(),
  'x-env-scope': 'sandbox',
  'idempotency-key': 'k1',
  'content-type': 'application/json',
};

function jobsApp(options: Parameters<typeof testApp>[0] = {}): HttpApp {
  const app = testApp(options);
  route(app, submitJob, async ({ envScope }) => ({
    status: 202,
    body: { ...ACCEPTED, env_scope: envScope },
  }));
  route(app, readJob, async () => {
    throw new ServiceError('JOB_NOT_FOUND');
  });
  route(app, deleteJobArtifacts, async () => ({
    status: 200,
    body: { job_id: ACCEPTED.job_id, deleted_count: 0 },
  }));
  return app;
}

async function submit(overrides: InjectOptions = {}, app = jobsApp()) {
  const answer = await app.fastify.inject({
    method: 'POST',
    url: '/v1/jobs',
    headers: HEADERS,
    payload: JSON.stringify(BODY),
    ...overrides,
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

function without(name: keyof typeof HEADERS) {
  const { [name]: _removed, ...headers } = HEADERS;
  return { headers };
}

describe('the order of checks (D19)', () => {
  const wrong = {
    auth: { authorization: 'Basic bad' },
    scope: { 'x-env-scope': 'moon' },
    json: '{"provider":',
    shape: JSON.stringify({ ...BODY, extra: 1 }),
  };

  it.each([
    ['401 before all', { ...wrong.auth, ...wrong.scope, 'idempotency-key': '' }, wrong.json, 401],
    ['400 X-Env-Scope before JSON', { ...wrong.scope, 'idempotency-key': '' }, wrong.json, 400],
    ['400 JSON before the key', { 'idempotency-key': '' }, wrong.json, 400],
    ['422 shape before the key', { 'idempotency-key': '' }, wrong.shape, 422],
    ['400 key last', { 'idempotency-key': '' }, JSON.stringify(BODY), 400],
  ])('%s', async (_name, headers, payload, status) => {
    const answer = await submit({ headers: { ...HEADERS, ...headers }, payload });
    expect(answer.status).toBe(status);
  });

  it('tells the five refusals apart', async () => {
    const all = { ...wrong.auth, ...wrong.scope, 'idempotency-key': '' };
    const codes = [];
    for (const headers of [all, { ...all, authorization: basic() }, { 'idempotency-key': '' }]) {
      const { body } = await submit({
        headers: { ...HEADERS, ...headers },
        payload: codes.length < 2 ? wrong.json : JSON.stringify(BODY),
      });
      codes.push([body.error.code, body.error.fields?.[0].loc.join('.')]);
    }
    expect(codes).toEqual([
      ['AUTH_INVALID_CREDENTIALS', undefined],
      ['VALIDATION_INVALID_FIELD', 'header.X-Env-Scope'],
      ['IDEMPOTENCY_KEY_REQUIRED', undefined],
    ]);
  });

  it('429 after 401 and before everything else', async () => {
    const app = jobsApp({ rateLimit: { limit: 1, windowSeconds: 60 } });
    await submit({}, app);
    const limited = await submit({ headers: { ...HEADERS, ...wrong.scope }, payload: '{' }, app);
    expect(limited.status).toBe(429);
    expect(limited.body.error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    const stranger = await submit({ headers: { ...HEADERS, ...wrong.auth } }, app);
    expect(stranger.status).toBe(401);
  });

  it('403 for a wrong kind of principal before its body is read (R87)', async () => {
    const { status, body } = await submit({
      headers: { ...HEADERS, authorization: 'Bearer console' },
      payload: wrong.json,
    });
    expect([status, body.error.code]).toEqual([403, 'AUTH_FORBIDDEN_PRINCIPAL']);
  });
});

describe('authentication', () => {
  it.each([
    ['an empty header', ''],
    ['an unknown scheme', 'Digest x'],
    ['no colon', `Basic ${Buffer.from('abc').toString('base64')}`],
    ['a wrong secret', basic(undefined, 'wrong')],
    ['an unknown client', basic('cli_x')],
  ])('D47 answers the same 401 for %s', async (_name, authorization) => {
    const { status, headers, body } = await submit({ headers: { ...HEADERS, authorization } });
    expect([status, body.error.code]).toEqual([401, 'AUTH_INVALID_CREDENTIALS']);
    expect(String(headers['www-authenticate'])).toContain('Basic realm');
  });

  it('D47 answers 401 without credentials', async () => {
    expect((await submit(without('authorization'))).body.error.code).toBe(
      'AUTH_INVALID_CREDENTIALS',
    );
  });

  it('D43 refuses an address after 300 failures, but never valid credentials', async () => {
    const app = jobsApp();
    const bad = { headers: { ...HEADERS, authorization: 'Basic bad' } };
    for (let n = 0; n < 300; n++) expect((await submit(bad, app)).status).toBe(401);
    expect((await submit(bad, app)).status).toBe(429);
    expect((await submit({}, app)).status).toBe(202);
  });

  it('D109 binds a legacy key to its environment', async () => {
    const app = jobsApp();
    const read = (headers: Record<string, string>) =>
      app.fastify.inject({ url: '/v1/jobs/x', headers: { 'x-api-key': 'legacy', ...headers } });
    expect((await read({})).statusCode).toBe(404);
    expect((await read({ 'x-env-scope': 'sandbox' })).json().error.code).toBe(
      'POLICY_ENV_NOT_ALLOWED',
    );
  });

  it('D43 shows the limit on every authenticated answer', async () => {
    const { headers } = await submit();
    expect(headers['ratelimit-policy']).toBe('"default";q=1000;w=60');
    expect(headers.ratelimit).toMatch(/^"default";r=999;t=\d+$/);
  });
});

describe('the body', () => {
  it('R121 broken JSON, wrong media type and an array answer with the envelope', async () => {
    const broken = await submit({ payload: '{"provider": secret' });
    expect([broken.status, broken.body.error.fields[0].type]).toEqual([400, 'json_invalid']);
    expect(JSON.stringify(broken.body)).not.toContain('secret');
    const text = await submit({ headers: { ...HEADERS, 'content-type': 'text/plain' } });
    expect([text.status, text.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const list = await submit({ payload: '[]' });
    expect([list.status, list.body.error.fields]).toEqual([
      422,
      [{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }],
    ]);
  });

  it('R122 every error has its five members', async () => {
    const { body } = await submit({ payload: '[]' });
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error).toMatchObject({
      code: 'VALIDATION_INVALID_FIELD',
      message: '입력값이 올바르지 않습니다.',
      retryable: false,
      provider_error_ref: null,
    });
    expect(body.error.trace_id).toMatch(/^trc_[0-9a-f]+$/);
  });

  it.each(['provider', 'action'])('R15 missing %s', async (name) => {
    const { status, body } = await submit({
      payload: JSON.stringify({ ...BODY, [name]: undefined }),
    });
    expect(status).toBe(422);
    expect(body.error.fields).toEqual([
      { loc: ['body', name], msg: 'Field required', type: 'missing' },
    ]);
  });

  it('a missing body is a missing field', async () => {
    const { status, body } = await submit({ payload: '' });
    expect([status, body.error.fields]).toEqual([
      422,
      [{ loc: ['body'], msg: 'Field required', type: 'missing' }],
    ]);
  });

  it('R16 unknown properties are refused, all of them', async () => {
    const { status, body } = await submit({ payload: JSON.stringify({ ...BODY, a: 1, b: 2 }) });
    expect(status).toBe(422);
    expect(body.error.fields).toEqual(
      ['a', 'b'].map((name) => ({
        loc: ['body', name],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      })),
    );
  });

  it.each([123, {}, [], null, true])('R56 an encrypted value of %j is 422', async (value) => {
    const payload = JSON.stringify({ ...BODY, encrypted_fields: { pin: value } });
    const { status, body } = await submit({ payload });
    expect(status).toBe(422);
    expect(body.error.fields).toEqual([
      {
        loc: ['body', 'encrypted_fields', 'pin'],
        msg: 'Input should be a valid string',
        type: 'string_type',
      },
    ]);
  });

  it('D21 an account_link_id is null or a UUID v4', async () => {
    const send = (id: unknown) =>
      submit({ payload: JSON.stringify({ ...BODY, account_link_id: id }) });
    expect((await send(null)).status).toBe(202);
    expect((await send('0e2ff4a0-4f0b-4d0e-9a57-6f4a4b2a0a0e')).status).toBe(202);
    expect((await send('0e2ff4a0-4f0b-1d0e-9a57-6f4a4b2a0a0e')).body.error.fields[0].type).toBe(
      'uuid_parsing',
    );
    expect((await send('')).status).toBe(422);
  });

  it.each(['9007199254740993', '-9007199254740993', '1e400', '12345678901234567890'])(
    'D34 refuses the integer %s',
    async (number) => {
      const payload = `{"provider":"p","action":"a","params":{"list":[1,{"n":${number}}]}}`;
      const { status, body } = await submit({ payload });
      expect(status).toBe(422);
      expect(body.error.fields[0]).toMatchObject({
        loc: ['body', 'params', 'list', 1, 'n'],
        type: 'int_parsing_size',
      });
    },
  );

  it('D34 takes 20 levels of params and refuses 21', async () => {
    const nested = (levels: number) => JSON.parse('{"a":'.repeat(levels) + 1 + '}'.repeat(levels));
    const send = (levels: number) =>
      submit({ payload: JSON.stringify({ ...BODY, params: nested(levels) }) });
    expect((await send(20)).status).toBe(202);
    expect((await send(21)).status).toBe(422);
  });

  it('D34 answers 413 beyond 1 MiB', async () => {
    const { status, body } = await submit({
      payload: JSON.stringify({ ...BODY, params: { a: 'x'.repeat(1024 * 1024) } }),
    });
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each(['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}'])(
    'refuses %s',
    async (payload) => {
      const { status, body } = await submit({ payload });
      expect([status, body.error.fields[0].type]).toEqual([400, 'json_invalid']);
    },
  );

  it('refuses invalid UTF-8', async () => {
    const { status } = await submit({ payload: Buffer.from([0x22, 0xff, 0x22]) });
    expect(status).toBe(400);
  });

  it('lists at most a hundred of what is wrong', async () => {
    const payload = `{"params":{"a":[${Array(170_000).fill('1e999').join()}]}}`;
    const { status, body } = await submit({ payload });
    expect([status, body.error.fields.length]).toEqual([422, 100]);
    expect(body.error.fields[0].loc).toEqual(['body', 'params', 'a', 0]);
  });

  it('says that it unpacks nothing', async () => {
    const headers = { ...HEADERS, 'content-encoding': 'gzip' };
    const answer = await submit({ headers, payload: gzipSync(JSON.stringify(BODY)) });
    expect([answer.status, answer.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(answer.headers['accept-encoding']).toBe('identity');
    const plain = { ...HEADERS, 'content-encoding': 'identity' };
    expect((await submit({ headers: plain })).status).toBe(202);
  });
});

describe('headers', () => {
  it('R13 a key of 128 characters is taken; 129 and é are refused', async () => {
    const send = (key: string) => submit({ headers: { ...HEADERS, 'idempotency-key': key } });
    expect((await send('k'.repeat(128))).status).toBe(202);
    const long = await send('k'.repeat(129));
    expect([long.status, long.body.error.fields[0].loc]).toEqual([
      400,
      ['header', 'Idempotency-Key'],
    ]);
    expect((await send('é')).body.error.code).toBe('VALIDATION_INVALID_FIELD');
  });

  it('R12 without a key', async () => {
    const { status, body } = await submit(without('idempotency-key'));
    expect([status, body.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it('D26 without an environment', async () => {
    const { status, body } = await submit(without('x-env-scope'));
    expect([status, body.error.fields[0]]).toEqual([
      400,
      { loc: ['header', 'X-Env-Scope'], msg: 'Field required', type: 'missing' },
    ]);
  });

  it('R123 D55 makes a trace id, or echoes the one sent', async () => {
    expect((await submit()).headers['x-trace-id']).toMatch(/^trc_[0-9a-f]{32}$/);
    const sent = await submit({ headers: { ...HEADERS, 'x-trace-id': 'order-7' }, payload: '[]' });
    expect(sent.headers['x-trace-id']).toBe('order-7');
    expect(sent.body.error.trace_id).toMatch(/^trc_[0-9a-f]{32}$/);
    const ours = await submit({ headers: { ...HEADERS, 'x-trace-id': 'trc_0a' }, payload: '[]' });
    expect(ours.body.error.trace_id).toBe('trc_0a');
    const bad = await submit({ headers: { ...HEADERS, 'x-trace-id': 'a b' } });
    expect(bad.headers['x-trace-id']).toMatch(/^trc_/);
  });

  it('D56 speaks English when asked', async () => {
    const english = { ...HEADERS, 'accept-language': 'en-US,en;q=0.9,ko;q=0.5' };
    const { body } = await submit({ headers: english, payload: '[]' });
    expect(body.error.message).toBe('The request has an invalid field.');
  });

  it('echoes X-Request-Id and hardens every answer', async () => {
    const { headers } = await submit({ headers: { ...HEADERS, 'x-request-id': 'r-1' } });
    expect(headers).toMatchObject({
      'x-request-id': 'r-1',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });
});

describe('routes', () => {
  it('D53 an unknown route is 404, whatever its body', async () => {
    const { status, body } = await submit({ url: '/v1/nothing', payload: '{' });
    expect([status, body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it('D53 an unknown method is 405 with Allow', async () => {
    const { status, headers, body } = await submit({ method: 'PUT', url: '/v1/jobs/job_x' });
    expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.allow).toBe('GET, HEAD');
  });

  it('a broken path is 400', async () => {
    const { status, body } = await submit({ url: '/v1/jobs/%zz' });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_INVALID_FIELD']);
  });

  it('an id longer than any is 404, and no fault of ours', async () => {
    const { status, body } = await submit({ url: `/v1/jobs/${'x'.repeat(600)}`, method: 'GET' });
    expect([status, body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it.each([
    ['no body', undefined],
    ['an empty JSON body', ''],
    ['any body', 'x=1'],
  ])('D70 deleting artifacts takes %s', async (_name, payload) => {
    const answer = await jobsApp().fastify.inject({
      method: 'DELETE',
      url: '/v1/jobs/job_x/artifacts',
      headers: { ...HEADERS, ...(payload === 'x=1' ? { 'content-type': 'text/x' } : {}) },
      ...(payload === undefined ? {} : { payload }),
    });
    expect([answer.statusCode, answer.json().deleted_count]).toEqual([200, 0]);
  });

  it('query numbers are read from text, unknown ones are refused, repeated ones are lists', async () => {
    const app = testApp();
    const seen: unknown[] = [];
    route(app, operations.jobs.listJobs, async ({ query }) => {
      seen.push(query);
      return { status: 200, body: { items: [], next_cursor: null } };
    });
    const list = (query: string) =>
      app.fastify.inject({ url: `/v1/jobs${query}`, headers: HEADERS });
    await list('?limit=5&status=QUEUED');
    await list('?status=QUEUED&status=RUNNING');
    expect(seen).toEqual([
      { limit: 5, status: ['QUEUED'] },
      { limit: 20, status: ['QUEUED', 'RUNNING'] },
    ]);
    expect((await list('?limit=101')).json().error.fields).toEqual([
      {
        loc: ['query', 'limit'],
        msg: 'Input should be less than or equal to 100',
        type: 'less_than_equal',
      },
    ]);
    expect((await list('?limt=1')).json().error.fields[0]).toMatchObject({
      loc: ['query', 'limt'],
      type: 'extra_forbidden',
    });
  });

  it('null, undeclared and long numbers reach the wire as they are', async () => {
    const app = testApp({ checkAnswers: false });
    const body = { a: null, b: 7.9, c: [{ d: 'x' }] };
    route(
      app,
      defineOperation({
        id: 'echo',
        method: 'GET',
        path: '/echo',
        tag: 'test',
        summary: '',
        may: 'anyone',
        environment: 'none',
        responses: { 200: { description: '', schema: Type.Any() } },
        errors: [],
      }),
      async () => ({ status: 200, body }),
    );
    expect((await app.fastify.inject('/echo')).json()).toEqual(body);
  });

  it('an unknown failure is 500 and tells nothing', async () => {
    const log: string[] = [];
    const app = testApp({ log });
    route(app, cancelJob, async () => {
      throw new Error('secret detail');
    });
    const answer = await app.fastify.inject({
      method: 'POST',
      url: '/v1/jobs/job_x/cancel',
      headers: HEADERS,
    });
    expect([answer.statusCode, answer.json().error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.body).not.toContain('secret detail');
    expect(log.join()).toContain('secret detail');
  });

  it('D64 logs neither credentials, nor bodies, nor queries', async () => {
    const log: string[] = [];
    const app = jobsApp({ log });
    await submit({ payload: JSON.stringify({ ...BODY, params: { a: 'bodytext' } }) }, app);
    await app.fastify.inject({ url: '/v1/jobs/x?sig=querytext', headers: HEADERS });
    expect(log.join()).toContain('"status":202');
    for (const secret of ['bodytext', 'querytext', basic(), 'secret']) {
      expect(log.join()).not.toContain(secret);
    }
  });
});
