import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerWith, logIn } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const INTEGRATOR = {
  company_name: '회사',
  contact_email: 'a@example.com',
  terms_agreed: true,
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ links: true });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('names that break what reads them', () => {
  it('a percent sign in the name of a field is part of its name (R122)', async () => {
    const { status, body } = await server.call('POST', '/v1/jobs', {
      key: 'percent',
      body: {
        provider: 'bank_b',
        action: 'bank_b.accounts.list',
        encrypted_fields: { '%': 5, '%41': 5 },
      },
    });
    expect(status).toBe(422);
    expect(body.error.fields.map(({ loc }: { loc: unknown[] }) => loc.at(-1))).toEqual([
      '%',
      '%41',
    ]);
  });

  it.each(['name', 'company_name'])(
    'NUL in %s is refused on every database (R122)',
    async (name) => {
      const { status, body } = await server.call('POST', '/v1/auth/register', {
        body: {
          email: 'nul@example.com',
          password: 'a good password with nul',
          name: '홍길동',
          agree_terms: true,
          agree_privacy: true,
          [name]: 'a\u0000b',
        },
      });
      expect([status, body.error.fields?.[0]?.loc]).toEqual([422, ['body', name]]);
    },
  );

  it.each(['a\u0000b', '\ud800'])('%j is in no text of a body (R122)', async (text) => {
    const { email, password } = server.console;
    const owner = callerWith(server, await logIn(server, email, password));
    const bodies = [
      [
        '/v1/webhooks',
        'description',
        { url: 'https://example.com/x', event_types: ['job.queued'], env_scope: 'sandbox' },
      ],
      ['/v1/me/integrator-applications', 'use_case_text', INTEGRATOR],
      ['/v1/auth/login', 'email', { password }],
      ['/v1/auth/login', 'password', { email }],
    ] as const;
    for (const [path, name, rest] of bodies) {
      const { status, body } = await owner('POST', path, { ...rest, [name]: text });
      expect([path, status, body.error?.fields[0].loc]).toEqual([path, 422, ['body', name]]);
    }
  });

  it('a NUL in params is echoed as it was sent (R36)', async () => {
    const params = { free: 'a\u0000b', 'na\u0000me': 1 };
    const { body } = await server.call('POST', '/v1/jobs', {
      key: 'nul',
      body: { provider: 'bank_b', action: 'bank_b.accounts.list', params },
    });
    await server.ended(body.job_id);
    const result = await server.call('GET', `/v1/jobs/${body.job_id}/result`);
    expect(result.body.result.data.params_echo).toEqual(params);
  });

  it('names that every object has are echoed as any other (R36, R37)', async () => {
    const params = {
      constructor: { prototype: { polluted: 1 } },
      prototype: null,
      toString: 'x',
      toJSON: 1,
      hasOwnProperty: [{ constructor: 'y' }],
      length: 3,
    };
    const submission = { provider: 'bank_b', action: 'bank_b.accounts.list', params };
    const { status, body } = await server.call('POST', '/v1/jobs', { key: 'n', body: submission });
    expect(status).toBe(202);
    await server.ended(body.job_id);
    const result = await server.call('GET', `/v1/jobs/${body.job_id}/result`);
    expect(result.body.result.data.params_echo).toEqual(params);
    const again = await server.call('POST', '/v1/jobs', { key: 'n', body: submission });
    expect([again.status, again.body.job_id]).toEqual([200, body.job_id]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it.each([
    ['/v1/app-credentials', 'label', 'a\u0000b'],
    ['/v1/app-credentials', 'label', 'a\u001b[2Jb'],
    ['/v1/credentials/link', 'display_label', 'a\u0000b'],
    ['/v1/credentials/link', 'cert_name', 'a\u0000b'],
    ['/v1/credentials/link', 'business_name', 'a\u0000b'],
  ])('%s refuses control characters in %s (R122)', async (path, name, value) => {
    const { email, password } = server.console;
    const owner = callerWith(server, await logIn(server, email, password));
    const { status, body } = await owner('POST', path, { provider: 'bank_b', [name]: value });
    const places = body.error.fields.map(({ loc }: { loc: unknown }) => loc);
    expect([status, places]).toEqual([422, expect.arrayContaining([['body', name]])]);
  });
});

describe('a day that the calendar does not have', () => {
  const HISTORY = 'bank_b.accounts.transaction_history.search';

  it.each(['submitted_from', 'submitted_before'])('is no time of %s (R122)', async (name) => {
    const query = new URLSearchParams({ [name]: '2026-02-30T00:00:00+09:00' });
    const { status, body } = await server.call('GET', `/v1/jobs?${query}`);
    const msg = 'Input should be a valid datetime';
    expect([status, body.error?.fields]).toEqual([
      422,
      [{ loc: ['query', name], msg, type: 'datetime_parsing' }],
    ]);
  });

  it.each(['sandbox', 'real_test'])('is no parameter of a search, in %s (D76)', async (env) => {
    for (const day of ['20260230', '2026-02-30', '20261301', '20260100']) {
      const body = { provider: 'bank_b', action: HISTORY, params: { from_date: day } };
      const headers = { prefer: 'validate-only' };
      const one = await server.call('POST', '/v1/jobs', { env, key: day, body, headers });
      const several = await server.call('POST', '/v1/jobs/all-accounts', { env, key: day, body });
      for (const { status, body: answer } of [one, several]) {
        expect([day, status, answer.error.fields?.[0].loc]).toEqual([
          day,
          422,
          ['body', 'params', 'from_date'],
        ]);
      }
    }
  });
});

describe('an id that nothing can have', () => {
  it.each([
    ['a'.repeat(70), 'JOB_NOT_FOUND'],
    ['a'.repeat(9_000), 'JOB_NOT_FOUND'],
    ['a%00b', 'JOB_NOT_FOUND'],
  ])('is of no job, however it looks: %.20s (R32)', async (id, code) => {
    for (const path of ['', '/result', '/timeline', '/request']) {
      const { status, body } = await server.call('GET', `/v1/jobs/${id}${path}`);
      expect([path, status, body.error.code]).toEqual([path, 404, code]);
    }
  });

  it.each(['999999', '9999999999', '0', '-1', '9'.repeat(300)])(
    'is of no product: %.20s (R32)',
    async (id) => {
      const { status, body } = await server.call('GET', `/v1/products/${id}`);
      expect([status, body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    },
  );

  it('is a mistake where it is no number at all (R122)', async () => {
    const { status } = await server.call('GET', '/v1/products/first');
    expect(status).toBe(422);
  });
});
