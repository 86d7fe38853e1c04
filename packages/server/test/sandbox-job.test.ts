import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const BODY = {
  provider: 'bank_a',
  action: 'bank_a.accounts.list',
  params: { Key: null, nested: { list: [1, 'a'] } },
};

async function submit(key: string, body: unknown = BODY) {
  return server.call('POST', '/v1/jobs', { key, body });
}

describe('a sandbox job over the wire', () => {
  it('is watched for a caller who leaves only while the caller waits', async () => {
    const { job_id: id } = (await submit('watched')).body;
    await server.ended(id);
    const any = vi.spyOn(AbortSignal, 'any');
    await server.call('GET', `/v1/jobs/${id}`);
    expect(any).not.toHaveBeenCalled();
    await server.call('GET', `/v1/jobs/${id}`, { headers: { prefer: 'wait=1' } });
    expect(any).toHaveBeenCalledOnce();
    any.mockRestore();
  });

  it('is accepted once and replayed with its state of now (R1, R2, R3, D31)', async () => {
    const first = await submit('r1');
    expect(first.status).toBe(202);
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(Object.keys(first.body)).toEqual([
      'job_id',
      'status',
      'env_scope',
      'provider',
      'action',
      'submitted_at',
    ]);
    await server.ended(first.body.job_id);
    const again = await submit('r1');
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual({ ...first.body, status: 'SUCCEEDED' });
  });

  it('echoes the params unchanged and nothing else (R36, R38, R35)', async () => {
    const { body: job } = await submit('r36');
    await server.ended(job.job_id);
    const result = await server.call('GET', `/v1/jobs/${job.job_id}/result`);
    expect(result.body).toMatchObject({
      job_id: job.job_id,
      status: 'SUCCEEDED',
      result: { data: { mock: true, params_echo: BODY.params }, artifacts: [] },
    });
    expect(Object.keys(result.body.result.data)).toEqual(['mock', 'params_echo']);
  });

  it('takes a bank account that is null for none, and echoes it (R37, D21)', async () => {
    const params = { bank_account_credential_id: null };
    const action = 'bank_a.accounts.quick_summary.get';
    const { status, body: job } = await submit('r37', { ...BODY, action, params });
    expect(status).toBe(202);
    await server.ended(job.job_id);
    const { body } = await server.call('GET', `/v1/jobs/${job.job_id}/result`);
    expect(body.result.data.params_echo).toEqual(params);
  });

  it('has ids and times of the specified form (R33, R34, D10, D143)', async () => {
    const { body: job } = await submit('r33');
    const read = await server.ended(job.job_id);
    expect(job.job_id).toMatch(/^job_[0-9A-HJKMNP-TV-Z]{26}$/);
    for (const name of ['submitted_at', 'started_at', 'finished_at']) {
      expect(read[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/);
    }
  });

  it('twenty equal submissions at once are one job (R18, D29)', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit('r18')));
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(19).fill(200),
      202,
    ]);
  });

  it('an unknown job answers as a foreign one (R124)', async () => {
    const { status, body } = await server.call('GET', '/v1/jobs/job_01JD0000000000000000000000');
    expect([status, body.error.code]).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it('refuses what is wrong (R12, R16, R56)', async () => {
    const noKey = await server.call('POST', '/v1/jobs', { body: BODY });
    expect(noKey.body.error.code).toBe('IDEMPOTENCY_KEY_REQUIRED');
    expect((await submit('x', { ...BODY, extra: 1 })).status).toBe(422);
    const encrypted = (pin: string) => submit('x', { ...BODY, encrypted_fields: { pin } });
    expect((await encrypted('abc!defghijklmnop')).status).toBe(400);
    expect((await encrypted('abcdefghijklmno')).status).toBe(400);
    expect((await encrypted('abcdefghijklmnop')).status).toBe(202);
  });

  it('ends as a header asks, without making it another request (D73)', async () => {
    const play = (key: string, outcome: string) =>
      server.call('POST', '/v1/jobs', {
        key,
        body: BODY,
        headers: { 'x-sandbox-outcome': outcome },
      });
    const first = await play('d73', 'FAILED;code=PROVIDER_MAINTENANCE');
    expect(first.status).toBe(202);
    expect(await server.ended(first.body.job_id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'PROVIDER_MAINTENANCE', retryable: true },
    });
    const again = await play('d73', 'TIMEOUT');
    expect([again.status, again.body.job_id]).toEqual([200, first.body.job_id]);
    const unknown = await play('d73-unknown', 'FAILED;code=NO_SUCH_CODE');
    expect([unknown.status, unknown.body.error.fields[0].loc]).toEqual([
      400,
      ['header', 'X-Sandbox-Outcome'],
    ]);
  });

  it.each([
    ['provider', { provider: 'bank_b' }, 'The action belongs to another provider'],
    ['provider', { provider: 'bank_z' }, 'There is no such provider'],
    [
      'provider',
      { provider: 'bank_z', action: 'bank_z.accounts.list' },
      'There is no such provider',
    ],
    [
      'action',
      { action: 'bank_a.accounts.lost' },
      'There is no such action; did you mean bank_a.accounts.list?',
    ],
    ['action', { action: 'toString' }, 'There is no such action'],
  ])('an unknown %s is 400 and located: %j (D25, D75)', async (name, change, msg) => {
    const { status, body } = await submit('d25', { ...BODY, ...change });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_INVALID_FIELD']);
    expect(body.error.fields).toEqual([{ loc: ['body', name], msg, type: 'value_error' }]);
  });

  it('refuses two Idempotency-Key lines (D27)', async () => {
    const status = await new Promise((resolve, reject) => {
      const { authorization, 'x-env-scope': env } = server.headers();
      const lines = ['authorization', authorization, 'x-env-scope', env, 'idempotency-key', 'a'];
      const message = request(`${server.url}/v1/jobs`, {
        method: 'POST',
        headers: [...lines, 'idempotency-key', 'b', 'content-type', 'application/json'].map(String),
      });
      message.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      message.end(JSON.stringify(BODY));
    });
    expect(status).toBe(400);
  });

  it('validate-only submits nothing (D19)', async () => {
    const check = await server.call('POST', '/v1/jobs', {
      key: 'check',
      body: BODY,
      headers: { prefer: 'validate-only' },
    });
    expect([check.status, check.body.valid]).toEqual([200, true]);
    expect(check.headers.get('preference-applied')).toBe('validate-only');
    const submitted = await submit('check');
    expect(submitted.status).toBe(202);
    expect(submitted.headers.has('preference-applied')).toBe(false);
  });

  it('gives the public keys to every principal (R62, D26, D58)', async () => {
    const byQuery = await fetch(`${server.url}/v1/crypto/public-key?env_scope=sandbox`, {
      headers: { authorization: server.headers().authorization ?? '' },
    });
    expect(byQuery.status).toBe(200);
    expect(byQuery.headers.get('cache-control')).toBe('max-age=300');
    const differing = await server.call('GET', '/v1/crypto/public-key?env_scope=real_test');
    expect(differing.status).toBe(400);
  });

  it('a wrong secret is 401 (D47)', async () => {
    const { status } = await server.call('GET', '/v1/jobs', {
      headers: { authorization: `Basic ${btoa(`${server.client.client_id}:wrong`)}` },
    });
    expect(status).toBe(401);
  });

  it('the test clock moves business time, for an operator only (D133)', async () => {
    const before = await server.core.store.clock.now();
    const denied = await server.call('POST', '/v1/test-clock/advance', { body: { seconds: 60 } });
    expect(denied.status).toBe(403);
    const moved = await server.call('POST', '/v1/test-clock/advance', {
      body: { seconds: 60 },
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    expect(moved.status).toBe(200);
    expect(await server.core.store.clock.now()).toBeGreaterThanOrEqual(before + 60_000);
    // As every other time that the service answers.
    const { time } = (await server.call('GET', '/health')).body;
    expect(Date.parse(time)).toBeGreaterThanOrEqual(Date.parse(moved.body.now));
  });
});

describe('a job that no worker runs yet, over the wire', () => {
  let waiting: TestServer;
  beforeAll(async () => {
    waiting = await startTestServer({ env: { ROLE: 'api' } });
  });
  afterAll(() => waiting[Symbol.asyncDispose]());

  const accept = async (key: string) =>
    (await waiting.call('POST', '/v1/jobs', { key, body: BODY })).body.job_id;
  const read = (path: string) => waiting.call('GET', `/v1/jobs/${path}`);

  it('reads with the thirteen fields of the specification and its effect, null where there is nothing (D10, D11)', async () => {
    const { body } = await read(await accept('d11'));
    expect(body).toEqual({
      job_id: expect.stringMatching(/^job_/),
      status: 'QUEUED',
      env_scope: 'sandbox',
      provider: 'bank_a',
      action: 'bank_a.accounts.list',
      submitted_at: expect.stringMatching(/\+09:00$/),
      started_at: null,
      finished_at: null,
      retry_count: 0,
      progress: 25,
      progress_message: expect.stringMatching(/[가-힣]/),
      retry_after_seconds: 3,
      error: null,
      had_effect: 'no',
    });
  });

  it('says that it waited, also when it was asked for no time (D137)', async () => {
    const id = await accept('d137');
    const prefer = (value: string) =>
      waiting.call('GET', `/v1/jobs/${id}`, { headers: { prefer: value } });
    const waited = await prefer('wait=0');
    expect([waited.status, waited.headers.get('preference-applied')]).toEqual([200, 'wait']);
    expect((await prefer('respond-async')).headers.has('preference-applied')).toBe(false);
  });

  it('advises when to come again, in the body and as Retry-After (D09, D13)', async () => {
    const id = await accept('d09');
    expect((await read(id)).headers.get('retry-after')).toBe('3');
    const early = await read(`${id}/result`);
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '3']);
    expect(early.body.error).toMatchObject({ code: 'JOB_NOT_SUCCEEDED', retryable: true });
    expect(early.body.error).not.toHaveProperty('fields');

    await waiting.call('POST', `/v1/jobs/${id}/cancel`);
    expect((await read(id)).headers.get('retry-after')).toBeNull();
    const late = await read(`${id}/result`);
    expect([late.status, late.headers.get('retry-after')]).toEqual([409, null]);
    expect(late.body.error).toMatchObject({ code: 'JOB_NOT_SUCCEEDED', retryable: false });
    expect(late.body.error.message).toContain('CANCELED');
  });

  it('cancelling answers 200 at once where it waits, 202 where it runs, 409 at the end (D05, D06, D09)', async () => {
    const cancel = (id: string) => waiting.call('POST', `/v1/jobs/${id}/cancel`);
    const queued = await accept('d05-queued');
    for (const again of [1, 2]) {
      const { status, body } = await cancel(queued);
      expect([again, status, body.status]).toEqual([again, 200, 'CANCELED']);
      expect(body).toMatchObject({ error: null, started_at: null, progress: 100 });
      expect(body.finished_at).toMatch(/\+09:00$/);
    }
    await accept('d05-running');
    const { engine } = waiting.core.store;
    const worker = { owner: 'w', leaseMs: 30_000, pool: 'sandbox', slots: 9, held: [] } as const;
    const running = (await engine.claim({ ...worker, limit: 9 })).jobs.at(-1);
    const asked = await cancel(running?.id ?? '');
    expect([asked.status, asked.body.status]).toEqual([202, 'RUNNING']);
    expect(asked.headers.get('retry-after')).toBe('2');
    await engine.finish({
      id: running?.id ?? '',
      owner: 'w',
      attempt: 0,
      lane: null,
      organizationId: waiting.organizationId,
      outcome: { status: 'SUCCEEDED', error: null, result: null, resultAsFile: false },
      artifacts: [],
      steps: [],
      suspension: null,
    });
    const over = await cancel(running?.id ?? '');
    expect([over.status, over.body.error.code]).toEqual([409, 'JOB_ALREADY_FINISHED']);
    const nowhere = await cancel('job_01JD0000000000000000000000');
    expect([nowhere.status, nowhere.body.error.code]).toEqual([404, 'JOB_NOT_FOUND']);
  });
});
