import { describe, expect, it } from 'vitest';

/** A service that the rules are held against: the fake, or the server. */
export interface ServiceUnderTest {
  call(
    method: string,
    path: string,
    options?: {
      key?: string;
      body?: unknown;
      text?: string;
      env?: string;
      headers?: Record<string, string>;
    },
  ): Promise<{ status: number; headers: Headers; body: Body }>;
  /** Makes time pass until the job has ended. */
  ended(jobId: string): Promise<Body>;
}

// biome-ignore lint/suspicious/noExplicitAny: these rules read what they expect, and fail when it is not there
type Body = any; // oxlint-disable-line typescript/no-explicit-any

const BODY = { provider: 'bank_a', action: 'bank_a.accounts.list', params: { Key: null, n: [1] } };
let keys = 0;
const newKey = () => `rule-${process.pid}-${keys++}`;

/** The rules of rules.md that a service without institutions can be held to. */
export function jobRules(name: string, open: () => ServiceUnderTest): void {
  const submit = (key: string | undefined, body: unknown = BODY, env?: string) =>
    open().call('POST', '/v1/jobs', {
      ...(key === undefined ? {} : { key }),
      ...(env === undefined ? {} : { env }),
      body,
    });

  describe(`rules of jobs: ${name}`, () => {
    it('accepts once, and replays with the state of now (R1, R2, R3)', async () => {
      const key = newKey();
      const first = await submit(key);
      expect(first.status).toBe(202);
      expect(Object.keys(first.body).sort()).toEqual(
        ['job_id', 'status', 'env_scope', 'provider', 'action', 'submitted_at'].sort(),
      );
      expect(first.body.status).toBe('QUEUED');
      await open().ended(first.body.job_id);
      const again = await submit(key);
      expect(again.status).toBe(200);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body).toEqual({ ...first.body, status: 'SUCCEEDED' });
    });

    it.each([
      ['action', { ...BODY, action: 'bank_a.accounts.quick_summary.get' }],
      ['params', { ...BODY, params: { Key: null, n: [2] } }],
      ['encrypted_fields', { ...BODY, encrypted_fields: { x: 'QUJDREVGR0hJSktMTU5PUA==' } }],
    ])('answers 409 when the key comes with other %s (R6)', async (_, changed) => {
      const key = newKey();
      await submit(key);
      const { status, body } = await submit(key, changed);
      expect([status, body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
    });

    it('takes the same key in another environment for another request (R9)', async () => {
      const key = newKey();
      const first = await submit(key);
      const other = await submit(key, BODY, 'production');
      expect(other.body?.job_id).not.toBe(first.body.job_id);
    });

    it('answers with the failed job as long as the key is the same (R10)', async () => {
      const key = newKey();
      const headers = { 'x-sandbox-outcome': 'FAILED;code=PROVIDER_UPSTREAM_ERROR' };
      const { body: job } = await open().call('POST', '/v1/jobs', { key, body: BODY, headers });
      expect((await open().ended(job.job_id)).error).toMatchObject({
        code: 'PROVIDER_UPSTREAM_ERROR',
        retryable: true,
      });
      expect((await submit(key)).body).toMatchObject({ job_id: job.job_id, status: 'FAILED' });
      expect((await submit(newKey())).body.job_id).not.toBe(job.job_id);
    });

    it('asks for the key (R12)', async () => {
      const { status, body } = await submit(undefined);
      expect([status, body.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
    });

    it('takes a key of 128 characters and refuses one of 129 (R13)', async () => {
      expect((await submit(newKey().padEnd(128, 'x'))).status).toBe(202);
      const { status, body } = await submit(newKey().padEnd(129, 'x'));
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_INVALID_FIELD']);
    });

    it('does not mind the order of keys in params (R14)', async () => {
      const key = newKey();
      const first = await submit(key, { ...BODY, params: { a: 1, b: { c: 2, d: 3 } } });
      const again = await submit(key, { ...BODY, params: { b: { d: 3, c: 2 }, a: 1 } });
      expect([again.status, again.body.job_id]).toEqual([200, first.body.job_id]);
    });

    it.each(['provider', 'action'])('misses %s (R15)', async (name) => {
      const { status, body } = await submit(newKey(), { ...BODY, [name]: undefined });
      expect(status).toBe(422);
      expect(body.error.fields[0].loc.at(-1)).toBe(name);
    });

    it('refuses an unknown property (R16)', async () => {
      const { status, body } = await submit(newKey(), { ...BODY, callback_url: 'x' });
      expect([status, body.error.fields[0].type]).toEqual([422, 'extra_forbidden']);
    });

    it('makes one job of 20 equal submissions at once (R18)', async () => {
      const key = newKey();
      const answers = await Promise.all(Array.from({ length: 20 }, () => submit(key)));
      expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1);
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    });

    it('tells the life of a job in the specified forms (R23, R24, R25, R33, R34)', async () => {
      const { body: job } = await submit(newKey());
      expect(job.job_id).toMatch(/^job_[0-9A-HJKMNP-TV-Z]{26}$/);
      const ended = await open().ended(job.job_id);
      expect(ended).toMatchObject({
        status: 'SUCCEEDED',
        progress: 100,
        progress_message: null,
        retry_after_seconds: null,
        error: null,
      });
      for (const time of [ended.submitted_at, ended.started_at, ended.finished_at]) {
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/);
      }
    });

    it('a canceled job has no error (R25, D06)', async () => {
      const headers = { 'x-sandbox-outcome': 'CANCELED' };
      const { body: job } = await open().call('POST', '/v1/jobs', {
        key: newKey(),
        body: BODY,
        headers,
      });
      expect(await open().ended(job.job_id)).toMatchObject({ status: 'CANCELED', error: null });
    });

    it('has no result unless it succeeded, and none of an unknown job (R32)', async () => {
      const headers = { 'x-sandbox-outcome': 'TIMEOUT' };
      const { body: job } = await open().call('POST', '/v1/jobs', {
        key: newKey(),
        body: BODY,
        headers,
      });
      await open().ended(job.job_id);
      const refused = await open().call('GET', `/v1/jobs/${job.job_id}/result`);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'JOB_NOT_SUCCEEDED']);
      const unknown = await open().call('GET', '/v1/jobs/job_01JD0000000000000000000000/result');
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'JOB_NOT_FOUND']);
    });

    it('echoes what was sent, and nothing else (R35, R36, R38, R39)', async () => {
      const { body: job } = await submit(newKey());
      await open().ended(job.job_id);
      const { body } = await open().call('GET', `/v1/jobs/${job.job_id}/result`);
      expect(body).toMatchObject({ status: 'SUCCEEDED', result: { artifacts: [] } });
      expect(body.result.data).toEqual({ mock: true, params_echo: BODY.params });
      expect(body.result.schema).toMatch(/^bank_a\.accounts\.list\.v\d+$/);
    });

    it('deletes files once, also when there are none (R42)', async () => {
      const { body: job } = await submit(newKey());
      await open().ended(job.job_id);
      const { status, body } = await open().call('DELETE', `/v1/jobs/${job.job_id}/artifacts`);
      expect([status, body]).toEqual([200, { job_id: job.job_id, deleted_count: 0 }]);
    });

    it.each([
      [123, 422],
      [{}, 422],
      ['abc!defghijklmnop', 400],
      ['QUJDREVGR0hJSkx', 400],
    ])('refuses the encrypted value %j with %i (R56)', async (value, status) => {
      const body = { ...BODY, encrypted_fields: { account_password: value } };
      expect((await submit(newKey(), body)).status).toBe(status);
    });

    it('refuses sensitive names in params, at any depth, and no neutral ones (R57, R58)', async () => {
      for (const params of [{ account_password: 'x' }, { a: [{ api_key: 1 }] }]) {
        expect((await submit(newKey(), { ...BODY, params })).status).toBe(400);
      }
      expect((await submit(newKey(), { ...BODY, params: { businessNo: '1' } })).status).toBe(202);
    });

    it('lets a name that is in both fail at execution (R59)', async () => {
      const body = {
        ...BODY,
        params: { pin: '1' },
        encrypted_fields: { pin: 'QUJDREVGR0hJSktMTU5PUA==' },
      };
      const { status, body: job } = await submit(newKey(), body);
      expect(status).toBe(202);
      expect(await open().ended(job.job_id)).toMatchObject({
        status: 'FAILED',
        error: { code: 'ENCRYPTED_FIELD_DUPLICATE' },
      });
    });

    it('answers in the envelope, also to broken JSON (R121, R122)', async () => {
      const { status, body } = await open().call('POST', '/v1/jobs', { key: newKey(), text: '{' });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        code: 'VALIDATION_INVALID_FIELD',
        retryable: false,
        provider_error_ref: null,
        trace_id: expect.stringMatching(/^trc_[0-9a-f]+$/),
      });
      expect(body.error.message).not.toBe('');
    });

    it('cancels no job that has ended (D05)', async () => {
      const { body: job } = await submit(newKey());
      await open().ended(job.job_id);
      const { status, body } = await open().call('POST', `/v1/jobs/${job.job_id}/cancel`);
      expect([status, body.error.code]).toEqual([409, 'JOB_ALREADY_FINISHED']);
    });

    it('validates without accepting (D19)', async () => {
      const key = newKey();
      const { status, body, headers } = await open().call('POST', '/v1/jobs', {
        key,
        body: BODY,
        headers: { prefer: 'validate-only' },
      });
      expect([status, headers.get('preference-applied')]).toEqual([200, 'validate-only']);
      expect(body).toMatchObject({ valid: true, action: BODY.action });
      expect((await submit(key)).status).toBe(202);
    });

    it('wants a known environment (D26)', async () => {
      const { status, body } = await submit(newKey(), BODY, 'staging');
      expect([status, body.error.fields[0].loc]).toEqual([400, ['header', 'X-Env-Scope']]);
    });

    it('finds the job of a key, and of no other', async () => {
      const key = newKey();
      const { body: job } = await submit(key);
      await submit(newKey());
      const query = (wanted: string) => `/v1/jobs?idempotency_key=${encodeURIComponent(wanted)}`;
      const { body: found } = await open().call('GET', query(key));
      expect(found.items.map((item: Body) => item.job_id)).toEqual([job.job_id]);
      expect(found.next_cursor).toBeNull();
      expect((await open().call('GET', query(newKey()))).body.items).toEqual([]);
    });

    it('lists every job once, page by page (R105)', async () => {
      const made: string[] = [];
      for (let n = 0; n < 3; n++) made.push((await submit(newKey())).body.job_id);
      const walked: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await open().call('GET', `/v1/jobs?limit=2${cursor}`);
        walked.push(...body.items.map((item: Body) => item.job_id));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(walked.filter((id) => made.includes(id))).toEqual(made.reverse());
      expect(new Set(walked).size).toBe(walked.length);
    });
  });
}
