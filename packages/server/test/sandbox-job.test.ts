import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  it('R1 R2 R3 is accepted once and replayed with its state of now', async () => {
    const first = await submit('r1');
    expect(first.status).toBe(202);
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

  it('R36 R38 R35 echoes the params unchanged and nothing else', async () => {
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

  it('R33 R34 has ids and times of the specified form', async () => {
    const { body: job } = await submit('r33');
    const read = await server.ended(job.job_id);
    expect(job.job_id).toMatch(/^job_[0-9A-HJKMNP-TV-Z]{26}$/);
    for (const name of ['submitted_at', 'started_at', 'finished_at']) {
      expect(read[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/);
    }
  });

  it('R18 twenty equal submissions at once are one job', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit('r18')));
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(19).fill(200),
      202,
    ]);
  });

  it('R124 an unknown job answers as a foreign one', async () => {
    const { status, body } = await server.call('GET', '/v1/jobs/job_01JD0000000000000000000000');
    expect([status, body.error.code]).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it('R12 R16 R56 refuses what is wrong', async () => {
    const noKey = await server.call('POST', '/v1/jobs', { body: BODY });
    expect(noKey.body.error.code).toBe('IDEMPOTENCY_KEY_REQUIRED');
    expect((await submit('x', { ...BODY, extra: 1 })).status).toBe(422);
    const encrypted = (pin: string) => submit('x', { ...BODY, encrypted_fields: { pin } });
    expect((await encrypted('abc!defghijklmnop')).status).toBe(400);
    expect((await encrypted('abcdefghijklmno')).status).toBe(400);
    expect((await encrypted('abcdefghijklmnop')).status).toBe(202);
  });

  it('D27 refuses two Idempotency-Key lines', async () => {
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

  it('D19 validate-only submits nothing', async () => {
    const check = await server.call('POST', '/v1/jobs', {
      key: 'check',
      body: BODY,
      headers: { prefer: 'validate-only' },
    });
    expect([check.status, check.body.valid]).toEqual([200, true]);
    expect((await submit('check')).status).toBe(202);
  });

  it('R62 gives the public keys to every principal', async () => {
    const byQuery = await fetch(`${server.url}/v1/crypto/public-key?env_scope=sandbox`, {
      headers: { authorization: server.headers().authorization ?? '' },
    });
    expect(byQuery.status).toBe(200);
    const differing = await server.call('GET', '/v1/crypto/public-key?env_scope=real_test');
    expect(differing.status).toBe(400);
  });

  it('D47 a wrong secret is 401', async () => {
    const { status } = await server.call('GET', '/v1/jobs', {
      headers: { authorization: `Basic ${btoa(`${server.client.client_id}:wrong`)}` },
    });
    expect(status).toBe(401);
  });

  it('D133 the test clock moves business time, for an operator only', async () => {
    const before = await server.parts.store.clock.now();
    const denied = await server.call('POST', '/v1/test-clock/advance', { body: { seconds: 60 } });
    expect(denied.status).toBe(403);
    const moved = await server.call('POST', '/v1/test-clock/advance', {
      body: { seconds: 60 },
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    expect(moved.status).toBe(200);
    expect(await server.parts.store.clock.now()).toBeGreaterThanOrEqual(before + 60_000);
  });
});
