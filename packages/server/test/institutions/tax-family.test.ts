import { ERRORS } from '@changgu/contract/errors';
import { demoCertificates } from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issueLegacyApiKey } from '../../src/principals/legacy-keys.ts';
import { ALL_JOBS } from '../../src/store/testing/no-filter.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';
import { startTestServer } from '../support/start-server.ts';

const FAMILY = '/tax_portal/products/v1';

let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer();
});
afterAll(() => real[Symbol.asyncDispose]());

/** A call of the family as its own clients make it: with a legacy key, which knows its environment. */
async function call(method: string, path: string, body?: unknown, options: FamilyOptions = {}) {
  const { at = real, idempotencyKey, apiKey = at.server.legacyApiKey } = options;
  const answer = await fetch(new URL(`${FAMILY}${path}`, at.server.url), {
    method,
    headers: {
      'x-api-key': apiKey,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

interface FamilyOptions {
  readonly at?: RealTestServer;
  readonly idempotencyKey?: string;
  readonly apiKey?: string;
}

describe('the tax-portal path family', () => {
  it('health wants the key (R125)', async () => {
    expect((await call('GET', '/a/s1/health')).body).toMatchObject({ status: 'ok' });
    const refused = await call('GET', '/a/s1/health', undefined, { apiKey: 'no' });
    expect(refused.status).toBe(401);
  });

  it('lists its endpoints (D122)', async () => {
    const { body } = await call('GET', '/info');
    expect(body.endpoints).toHaveLength(16);
    expect(body.endpoints).toContainEqual({
      method: 'POST',
      path: `${FAMILY}/a/c1/vat-standard`,
      function: '부가가치세 과세표준증명 발급',
      screen_id: 'UTERDAAA08',
      code: 'B0008',
    });
  });

  it('without a portal session: 409 AUTH_REQUIRED with the job (D50, R52)', async () => {
    const { status, body } = await call('GET', '/a/s1/user/info');
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'AUTH_REQUIRED', retryable: true });
    expect(body.error.job_id).toMatch(/^job_/);
  });

  it('logs in, and the session endpoints answer flat (D83)', async () => {
    const login = await call('POST', '/a/s1/login', {});
    expect(login).toMatchObject({ status: 200, body: { success: true } });
    expect(login.body.session_expires_at).toMatch(/\+09:00$/);
    const info = await call('GET', '/a/s1/user/info');
    expect(info.body).toMatchObject({ success: true, user_name: '이창구' });
  });

  it('issues a certificate in one call (D83, D137)', async () => {
    const { status, body } = await call('POST', '/a/c1/vat-standard', { copies: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      screen_id: 'UTERDAAA08',
      certificate_code: 'B0008',
      data: { status: '발급완료', copies: 2 },
      artifacts: [{ content_type: 'application/pdf', expired: false }],
    });
    const file = await fetch(body.artifacts[0].download_url);
    expect((await file.text()).slice(0, 5)).toBe('%PDF-');
  });

  it('the same application again within ten minutes: 409 with the first job (D83)', async () => {
    const apply = (body: object, options?: FamilyOptions) =>
      call('POST', '/a/c1/business-registration', body, options);
    const first = await apply({});
    expect(first.status).toBe(200);
    const links = await real.server.core.store.accountLinks.list({
      organizationId: real.server.organizationId,
      provider: 'tax_portal',
    });
    for (const body of [{}, { account_link_id: links[0]?.id }]) {
      const again = await apply(body);
      expect(again.status).toBe(409);
      expect(again.body.error).toMatchObject({
        code: 'IDEMPOTENCY_KEY_CONFLICT',
        job_id: first.body.job_id,
      });
    }
    expect((await apply({ copies: 3 })).status).toBe(200);
    expect((await apply({}, { idempotencyKey: 'on-purpose' })).status).toBe(200);
    await real.advance(10 * 60);
    await call('POST', '/a/s1/login', {});
    const later = await apply({});
    expect(later.status).toBe(200);
    expect(later.body.job_id).not.toBe(first.body.job_id);
    expect((await apply({})).body.error.job_id).toBe(later.body.job_id);
  });

  it('an application that failed without effect may be made again (D83)', async () => {
    await using at = await startRealTestServer();
    const apply = () => call('POST', '/a/c1/vat-standard', {}, { at });
    expect((await apply()).body.error.code).toBe('AUTH_REQUIRED');
    await call('POST', '/a/s1/login', {}, { at });
    const made = await apply();
    expect(made.status).toBe(200);
    expect((await apply()).body.error).toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
      job_id: made.body.job_id,
    });
  });

  it('with a key it works as on /v1/jobs (D32)', async () => {
    const search = () => call('POST', '/a/e1/invoice-summary', {}, { idempotencyKey: 'summary' });
    const first = await search();
    const second = await search();
    expect(second.body.job_id).toBe(first.body.job_id);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const other = await call(
      'POST',
      '/a/e1/invoice-summary',
      { date_types: ['03'] },
      { idempotencyKey: 'summary' },
    );
    expect(other.body.error.code).toBe('IDEMPOTENCY_KEY_CONFLICT');
  });

  it.each([
    ['qrt_to', { bsno: '1248100998', stl_yr: '2025', qrt_from: 1, qrt_to: 5 }],
    ['qrt_to', { bsno: '1248100998', stl_yr: '2025', qrt_from: 3, qrt_to: 1 }],
    ['stl_yr', { bsno: '1248100998', stl_yr: '1999', qrt_from: 1, qrt_to: 1 }],
  ])('R126 refuses a wrong %s before any portal call', async (name, body) => {
    const answer = await call('POST', '/a/t1/credit-card-sales-data', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.fields).toMatchObject([{ loc: ['body', name] }]);
  });

  it('…0999 is 502 PROVIDER_OUTCOME_UNCONFIRMED and never retryable (D50, R27)', async () => {
    const certificate = demoCertificates.magic['0999'];
    const account_link_id = await real.linkCertificate('tax_portal', certificate);
    await call('POST', '/a/s1/login', { account_link_id });
    const { status, body } = await call('POST', '/a/c1/vat-standard', { account_link_id });
    expect(status).toBe(502);
    expect(body.error).toMatchObject({ code: 'PROVIDER_OUTCOME_UNCONFIRMED', retryable: false });
  });

  it('answers mock data in sandbox, with client credentials (R36)', async () => {
    const { body } = await real.server.call('POST', `${FAMILY}/a/c1/vat-standard`, {
      env: 'sandbox',
      body: { copies: 2 },
    });
    expect(body.data).toEqual({ mock: true, params_echo: { copies: 2 } });
    const login = await real.server.call('POST', `${FAMILY}/a/s1/login`, {
      env: 'sandbox',
      body: {},
    });
    expect(login.body).toMatchObject({ mock: true, params_echo: {} });
  });

  const play = (outcome: string, path = '/a/s1/login') =>
    real.server.call('POST', `${FAMILY}${path}`, {
      env: 'sandbox',
      headers: { 'x-sandbox-outcome': outcome, 'accept-language': 'en' },
      body: {},
    });

  it('ends in sandbox as a header asks (D73, D50)', async () => {
    const { status, body } = await play('FAILED;code=PROVIDER_MAINTENANCE');
    expect([status, body.error?.code]).toEqual([503, 'PROVIDER_MAINTENANCE']);
  });

  it.each([
    ['JOB_WORKER_LOST', 503, 'JOB_WORKER_LOST', true, 'with a new Idempotency-Key'],
    ['ENCRYPTED_FIELD_DUPLICATE', 409, 'JOB_NOT_SUCCEEDED', false, 'Read the job'],
  ] as const)(
    'tells why a job ended with %s, and never to repeat it under its key (D50, D51)',
    async (played, status, code, retryable, step) => {
      const { body, ...answer } = await play(`FAILED;code=${played}`);
      expect([answer.status, body.error]).toMatchObject([
        status,
        { code, retryable, message: ERRORS[played].en, next_action: expect.stringContaining(step) },
      ]);
    },
  );

  it('advises no one to repeat an application that was canceled (D13, D51)', async () => {
    const canceled = await play('CANCELED', '/a/c1/vat-standard');
    expect(canceled.status).toBe(409);
    expect(canceled.body.error).toMatchObject({ code: 'JOB_NOT_SUCCEEDED', retryable: false });
  });

  it('plays an unknown outcome that no one repeats by chance (D73, D83)', async () => {
    const path = '/a/c1/business-closure';
    const first = await play('FAILED;code=PROVIDER_OUTCOME_UNCONFIRMED', path);
    expect(first.status).toBe(502);
    const again = await real.server.call('POST', `${FAMILY}${path}`, { env: 'sandbox', body: {} });
    expect(again.body.error).toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
      job_id: first.body.error.job_id,
    });
  });

  it('takes no params and no link from the query string of a POST (D83)', async () => {
    const post = (query: string) =>
      real.server.call('POST', `${FAMILY}/a/c1/vat-standard${query}`, {
        env: 'sandbox',
        key: 'query',
        body: { copies: 2 },
      });
    const queries = ['?utm=1&copies=3', '?account_link_id=none', '?account_link_id=%00', ''];
    for (const query of queries) {
      const { status, body } = await post(query);
      expect([query, status, body.data?.params_echo]).toEqual([query, 200, { copies: 2 }]);
    }
  });

  it('answers the job of another key of the organization on a replay (D32)', async () => {
    const { core, organizationId } = real.server;
    const { api_key: apiKey } = await issueLegacyApiKey(
      core.store,
      { organization_id: organizationId, env_scope: 'real_test', label: 'rotated' },
      { kind: 'system', id: 'test', traceId: null },
    );
    const search = (options: FamilyOptions) =>
      call('POST', '/a/e1/invoice-summary', {}, { idempotencyKey: 'rotated', ...options });
    const first = await search({});
    const second = await search({ apiKey });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('a job that has not ended by then is 202 with its id and state (D83)', async () => {
    // No worker runs it, and a server that stops ends every wait.
    await using server = await startTestServer({ env: { ROLE: 'api' } });
    const answer = server.call('POST', `${FAMILY}/a/s1/login`, { body: {} });
    const { organizationId, core } = server;
    const access = { organizationId, envScope: 'sandbox', submittedBy: null } as const;
    const accepted = await vi.waitUntil(
      async () => (await core.store.jobs.list({ ...ALL_JOBS, access, limit: 1 })).at(0),
      { interval: 5, timeout: 20_000 },
    );
    const closed = server.close();
    const { status, body } = await answer;
    await closed;
    expect([status, body]).toEqual([202, { job_id: accepted.id, status: 'QUEUED' }]);
  });
});
