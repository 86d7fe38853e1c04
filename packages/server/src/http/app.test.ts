import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { PassThrough } from 'node:stream';
import type { ErrorCode } from '@changgu/contract';
import { defineOperation, operations } from '@changgu/contract/schemas';
import { pino } from 'pino';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { basic, testApp } from '../../test/support/http-app.ts';
import { BODY, HEADERS, jobsApp, submit } from '../../test/support/jobs-app.ts';
import { ServiceError } from '../rules/service-error.ts';
import { storeUnavailable } from '../store/transactions/failure.ts';
import { route } from './route.ts';

const { cancelJob } = operations.jobs;

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

  it('distinguishes the five refusals', async () => {
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

  it('answers 429 after 401 and before everything else', async () => {
    const app = jobsApp({ rateLimit: { limit: 1, windowSeconds: 60 } });
    await submit({}, app);
    const limited = await submit({ headers: { ...HEADERS, ...wrong.scope }, payload: '{' }, app);
    expect(limited.status).toBe(429);
    expect(limited.body.error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    const stranger = await submit({ headers: { ...HEADERS, ...wrong.auth } }, app);
    expect(stranger.status).toBe(401);
  });

  it('answers 403 for a wrong kind of principal before its body is read (R87)', async () => {
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
  ])('answers the same 401 for %s (D47)', async (_name, authorization) => {
    const { status, headers, body } = await submit({ headers: { ...HEADERS, authorization } });
    expect([status, body.error.code]).toEqual([401, 'AUTH_INVALID_CREDENTIALS']);
    expect(String(headers['www-authenticate'])).toContain('Basic realm');
  });

  it('does not let a browser ask for a name and password in place of the page (D47)', async () => {
    const headers = { ...HEADERS, authorization: 'Bearer ended', 'sec-fetch-dest': 'empty' };
    const refused = await submit({ headers });
    expect(refused.status).toBe(401);
    expect(String(refused.headers['www-authenticate'])).not.toContain('Basic');
    expect(String(refused.headers['www-authenticate'])).toContain('Bearer');
  });

  it('answers 401 without credentials (D47)', async () => {
    expect((await submit(without('authorization'))).body.error.code).toBe(
      'AUTH_INVALID_CREDENTIALS',
    );
  });

  it('refuses an address after 300 failures, but never valid credentials (D43)', async () => {
    const app = jobsApp();
    const bad = { headers: { ...HEADERS, authorization: 'Basic bad' } };
    for (let n = 0; n < 300; n++) expect((await submit(bad, app)).status).toBe(401);
    expect((await submit(bad, app)).status).toBe(429);
    expect((await submit({}, app)).status).toBe(202);
  });

  it('binds a legacy key to its environment (D109)', async () => {
    const app = jobsApp();
    const read = (headers: Record<string, string>) =>
      app.fastify.inject({ url: '/v1/jobs/x', headers: { 'x-api-key': 'legacy', ...headers } });
    expect((await read({})).statusCode).toBe(404);
    expect((await read({ 'x-env-scope': 'sandbox' })).json().error.code).toBe(
      'POLICY_ENV_NOT_ALLOWED',
    );
  });

  it('shows the limit on every authenticated answer (D43)', async () => {
    const { headers } = await submit();
    expect(headers['ratelimit-policy']).toBe('"default";q=1000;w=60');
    expect(headers.ratelimit).toMatch(/^"default";r=999;t=\d+$/);
  });
});

describe('headers', () => {
  it('accepts a key of 128 characters, and refuses 129 and é (R13)', async () => {
    const send = (key: string) => submit({ headers: { ...HEADERS, 'idempotency-key': key } });
    expect((await send('k'.repeat(128))).status).toBe(202);
    const long = await send('k'.repeat(129));
    expect([long.status, long.body.error.fields[0].loc]).toEqual([
      400,
      ['header', 'Idempotency-Key'],
    ]);
    expect((await send('é')).body.error.code).toBe('VALIDATION_INVALID_FIELD');
  });

  it('refuses a submission without a key (R12)', async () => {
    const { status, body } = await submit(without('idempotency-key'));
    expect([status, body.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it('trims a key, allows spaces inside, and treats an empty one as missing (D27)', async () => {
    const send = (key: string) => submit({ headers: { ...HEADERS, 'idempotency-key': key } });
    expect((await send(`  ${'k'.repeat(128)}  `)).status).toBe(202);
    expect((await send('order 7 of ~!')).status).toBe(202);
    expect((await send('   ')).body.error.code).toBe('IDEMPOTENCY_KEY_REQUIRED');
    // A header's bytes are Latin-1, where 0xA0 is a space that JavaScript trims.
    expect((await send('\tk\u00a0')).status).toBe(400);
    const tab = await send('a\tb');
    expect([tab.status, tab.body.error.fields[0].loc]).toEqual([
      400,
      ['header', 'Idempotency-Key'],
    ]);
  });

  it('refuses a submission without an environment (D26)', async () => {
    const { status, body } = await submit(without('x-env-scope'));
    expect([status, body.error.fields[0]]).toEqual([
      400,
      { loc: ['header', 'X-Env-Scope'], msg: 'Field required', type: 'missing' },
    ]);
  });

  it('makes a trace id, or echoes the one sent (R123, D55)', async () => {
    expect((await submit()).headers['x-trace-id']).toMatch(/^trc_[0-9a-f]{32}$/);
    const sent = await submit({ headers: { ...HEADERS, 'x-trace-id': 'order-7' }, payload: '[]' });
    expect(sent.headers['x-trace-id']).toBe('order-7');
    expect(sent.body.error.trace_id).toMatch(/^trc_[0-9a-f]{32}$/);
    const ours = await submit({ headers: { ...HEADERS, 'x-trace-id': 'trc_0a' }, payload: '[]' });
    expect(ours.body.error.trace_id).toBe('trc_0a');
    const longest = 'a.B_9-'.padEnd(128, 'x');
    const echoed = await submit({ headers: { ...HEADERS, 'x-trace-id': longest } });
    expect(echoed.headers['x-trace-id']).toBe(longest);
    for (const refused of ['a b', `${longest}x`, 'é']) {
      const bad = await submit({ headers: { ...HEADERS, 'x-trace-id': refused } });
      expect(bad.headers['x-trace-id']).toMatch(/^trc_[0-9a-f]{32}$/);
    }
    for (const nowhere of [{ url: '/nothing' }, { headers: {} }, { payload: '{' }]) {
      const { headers, body } = await submit(nowhere);
      expect(headers['x-trace-id']).toBe(body.error.trace_id);
    }
  });

  it('speaks English when asked (D56)', async () => {
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

it('closes a connection after its last answer when the server stops (D03)', async () => {
  const draining = new AbortController();
  const app = testApp({ draining: draining.signal });
  const body = new PassThrough();
  route(app, operations.artifacts.downloadArtifact, async () => ({ status: 200, body }));
  const url = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  body.write('half');
  const answer = await fetch(`${url}/v1/artifacts/a/download`);
  draining.abort();
  const closed = app.fastify.close();
  body.end(' and half');
  expect(await answer.text()).toBe('half and half');
  // Kept alive it would hold the process for over a minute.
  await closed;
}, 10_000);

describe('a caller who leaves', () => {
  const { downloadArtifact } = operations.artifacts;
  type Line = Readonly<Record<string, unknown>>;

  /** The lines of the log from the request on, whose caller leaves when `begun`. */
  async function logOfLeaving(
    body: PassThrough,
    begun: (caller: ClientRequest) => Promise<unknown>,
  ) {
    const log: Line[] = [];
    const left = Promise.withResolvers<void>();
    const write = (line: string) => {
      const { time: _, pid: __, hostname: ___, ...rest }: Line = JSON.parse(line);
      log.push(rest);
      if (rest.msg === 'caller left') left.resolve();
    };
    const app = testApp({ logger: pino({ level: 'info' }, { write }) });
    route(app, downloadArtifact, async () => ({ status: 200, body }));
    const url = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
    log.length = 0;
    const closed = once(body, 'close');
    const caller = get(`${url}/v1/artifacts/a/download?sig=querytext`).on('error', () => {});
    await begun(caller);
    caller.destroy();
    await Promise.all([left.promise, closed]);
    await app.fastify.close();
    return log;
  }

  const line = {
    level: 30,
    msg: 'caller left',
    trace_id: expect.stringMatching(/^trc_/),
    method: 'GET',
    path: '/v1/artifacts/a/download',
    route: '/v1/artifacts/:artifact_id/download',
    ms: expect.any(Number),
  };

  it('before the first byte leaves one line in the log, and no failure', async () => {
    const body = new PassThrough();
    const read = once(body, 'resume');
    expect(await logOfLeaving(body, () => read)).toEqual([line]);
  });

  it('in the middle of an answer leaves a line with its status', async () => {
    const body = new PassThrough();
    body.write('half');
    const log = await logOfLeaving(body, (caller) => once(caller, 'response'));
    expect(log).toEqual([{ ...line, status: 200 }]);
  });
});

describe('routes', () => {
  it('answers 404 for an unknown route, whatever its body (D53)', async () => {
    const { status, body } = await submit({ url: '/v1/nothing', payload: '{' });
    expect([status, body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it('answers 405 with Allow for an unknown method (D53)', async () => {
    const { status, headers, body } = await submit({ method: 'PUT', url: '/v1/jobs/job_x' });
    expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.allow).toBe('GET, HEAD');
  });

  it('answers 400 for a malformed path', async () => {
    const { status, body } = await submit({ url: '/v1/jobs/%zz' });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_INVALID_FIELD']);
  });

  it('answers 404 for an id that is too long, and not 500 (R32)', async () => {
    const { status, body } = await submit({ url: `/v1/jobs/${'x'.repeat(600)}`, method: 'GET' });
    expect([status, body.error.code]).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it.each([
    ['no body', undefined],
    ['an empty JSON body', ''],
    ['any body', 'x=1'],
  ])('deleting artifacts takes %s (D70)', async (_name, payload) => {
    const answer = await jobsApp().fastify.inject({
      method: 'DELETE',
      url: '/v1/jobs/job_x/artifacts',
      headers: { ...HEADERS, ...(payload === 'x=1' ? { 'content-type': 'text/x' } : {}) },
      ...(payload === undefined ? {} : { payload }),
    });
    expect([answer.statusCode, answer.json().deleted_count]).toEqual([200, 0]);
  });

  it('reads numbers in a query, refuses unknown names and makes lists of repeated ones', async () => {
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

  it('sends null, undeclared properties and long numbers unchanged', async () => {
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

  it('fails in tests where an operation refuses with a code that its document does not name', async () => {
    const refusal = (code: ErrorCode) => {
      const app = testApp();
      route(app, cancelJob, async () => {
        throw new ServiceError(code);
      });
      return app.fastify.inject({ method: 'POST', url: '/v1/jobs/job_x/cancel', headers: HEADERS });
    };
    expect((await refusal('JOB_ALREADY_FINISHED')).statusCode).toBe(409);
    expect((await refusal('CONFLICT_DUPLICATE')).statusCode).toBe(500);
  });

  it('answers 500 for an unexpected failure, and what it says is nowhere, not even in the log (D64)', async () => {
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
    expect(log.join()).not.toContain('secret detail');
    expect(log.join()).toContain('app.test.ts:');
  });

  it('logs why the store was unavailable: what kind of error it was, and nothing that it says (D64)', async () => {
    const log: string[] = [];
    const app = testApp({ log });
    const cause = Object.assign(new Error('secret detail'), { code: 'ENOSPC' });
    route(app, cancelJob, async () => {
      throw storeUnavailable(cause);
    });
    const answer = await app.fastify.inject({
      method: 'POST',
      url: '/v1/jobs/job_x/cancel',
      headers: { ...HEADERS, 'accept-language': 'en' },
    });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(answer.json().error.message).toContain('no disk space');
    expect(log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 50,
        cause: { type: 'Error', code: 'ENOSPC' },
        msg: expect.stringContaining('no disk space'),
      }),
    );
    expect(log.join() + answer.body).not.toContain('secret detail');
  });

  it('logs only failed answers where the level asks for no more', async () => {
    const log: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
    const app = testApp({ logger });
    route(app, cancelJob, async () => {
      throw new ServiceError('INTERNAL_ERROR');
    });
    await app.fastify.inject({ url: '/v1/unknown' });
    expect(log).toEqual([]);
    const failed = await app.fastify.inject({
      method: 'POST',
      url: '/v1/jobs/job_1/cancel',
      headers: HEADERS,
    });
    expect(failed.statusCode).toBe(500);
    expect(log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: 'request failed', status: 500 }),
    );
  });

  it('logs neither credentials, nor bodies, nor queries (D64)', async () => {
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
