/** What every error says of the call that failed, and what is thrown as it is. */
import { ConnectionError, JobFailedError } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { request, testClient } from '../support/client.ts';
import { ACTION, failureOf, fake, HISTORY } from '../support/fake.ts';
import {
  type Answer,
  accepted,
  dropped,
  JOB_ID,
  json,
  refusal,
  scriptedServer,
} from '../support/scripted-server.ts';

const garbled: Answer = (_, response) => {
  response.writeHead(201).end('{');
};

/** More than 64 MiB. */
const endless: Answer = (_, response) => {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  response.writeHead(201, { 'content-type': 'application/json' });
  const send = () => {
    if (!response.destroyed) response.write(piece, send);
  };
  send();
};

describe('an error', () => {
  it('of a submission that was retried says key, trace id, attempts and why there is no further one', async () => {
    const { url } = await scriptedServer(dropped);
    const error = await failureOf(testClient(url, { maxRetries: 1 }).jobs.submit(request));
    expect(error).toMatchObject({
      name: 'ConnectionError',
      operation: 'submitJob',
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      traceId: expect.stringMatching(/^trc_/),
      attempts: 2,
      retryStop: 'max-retries',
    });
  });

  it.each([
    ['max-retries', refusal(503, 'SERVICE_UNAVAILABLE', true), { maxRetries: 1 }],
    ['not-retryable', refusal(403, 'CONSENT_REQUIRED', false), {}],
    ['retry-after', refusal(503, 'SERVICE_UNAVAILABLE', true, { 'retry-after': '600' }), {}],
    [
      'deadline',
      refusal(503, 'SERVICE_UNAVAILABLE', true, { 'retry-after': '60' }),
      { totalTimeoutMs: 5_000 },
    ],
    ['budget', refusal(503, 'SERVICE_UNAVAILABLE', true), { retryBudget: { ratio: 0, burst: 0 } }],
  ] as const)('says %s when that ended the call', async (retryStop, answer, options) => {
    const { url } = await scriptedServer(answer);
    const error = await failureOf(testClient(url, options).jobs.submit(request));
    expect(error).toMatchObject({ retryStop });
  });

  it.each([
    ['a broken connection', dropped, {}],
    ['the page of a proxy', json(502, '<html>'), {}],
    ['an answer that is not JSON', garbled, {}],
    ['an answer of another shape', json(201, []), {}],
    ['an answer without an end', endless, {}],
    ['no answer in time', () => {}, { attemptTimeoutMs: 1_000 }],
    ['no answer in the time of the whole call', () => {}, { totalTimeoutMs: 1_000 }],
  ] as const)(
    'of a write without a key says to look before repeating it: %s',
    async (_, answer, options) => {
      const { url, seen } = await scriptedServer(answer);
      const client = testClient(url, { token: 'jwt', ...options });
      const error = await failureOf(client.appCredentials.issue({ label: 'one' }));
      expect(error).toMatchObject({
        retryStop: 'not-retryable',
        nextStep: { kind: 'check_state' },
      });
      expect(seen).toHaveLength(1);
    },
  );

  it('of a submission whose answer has no end says to repeat it under its key', async () => {
    const { url } = await scriptedServer(endless);
    expect(await failureOf(testClient(url).jobs.submit(request))).toMatchObject({
      retryStop: 'not-retryable',
      nextStep: { kind: 'wait_and_retry' },
    });
  });

  it.each([
    ['no answer in the time of the whole call', () => {}, true, 'deadline'],
    ['an answer of another shape', json(202, []), false, null],
  ] as const)(
    'of a call that may be repeated says so: %s',
    async (_, answer, retryable, retryStop) => {
      const { url } = await scriptedServer(answer);
      const client = testClient(url, { totalTimeoutMs: 1_000, maxRetries: 0 });
      const facts = { retryable, retryStop, nextStep: { kind: 'wait_and_retry' } };
      expect(await failureOf(client.jobs.submit(request))).toMatchObject(facts);
      expect(await failureOf(client.jobs.get(JOB_ID))).toMatchObject(facts);
      expect(await failureOf(client.jobs.cancel(JOB_ID))).toMatchObject(facts);
    },
  );

  it('of a write that the service refused, or that never reached it, says what it said before', async () => {
    const refused = await scriptedServer(refusal(503, 'SERVICE_UNAVAILABLE', true));
    const key = { label: 'one' };
    const client = testClient(refused.url, { token: 'jwt' });
    expect(await failureOf(client.appCredentials.issue(key))).toMatchObject({
      retryStop: 'not-retryable',
      nextStep: { kind: 'wait_and_retry' },
    });
    const fetch = async () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    };
    const nowhere = testClient(refused.url, { token: 'jwt', fetch, maxRetries: 0 });
    expect(await failureOf(nowhere.appCredentials.issue(key))).toMatchObject({
      retryStop: 'max-retries',
      nextStep: { kind: 'wait_and_retry' },
    });
  });

  it('of a refusal names only violations with a path and a message', async () => {
    const whole = { loc: ['body', 'params', 1], msg: 'too long', type: 'too_long' };
    const parts = [{ loc: ['body', 1] }, { loc: ['body', null], msg: 'no' }, { msg: 'no' }, null];
    const error = {
      code: 'VALIDATION_INVALID_FIELD',
      message: 'Invalid',
      fields: [...parts, whole],
    };
    const { url } = await scriptedServer(json(422, { error }));
    expect(await failureOf(testClient(url).jobs.submit(request))).toMatchObject({
      message: '422 VALIDATION_INVALID_FIELD: Invalid (body.params.1: too long)',
      fields: [whole],
    });
  });

  it('of an answer that names no job has all facts of its call', async () => {
    const { url } = await scriptedServer(json(202, {}));
    expect(await failureOf(testClient(url).jobs.submit(request))).toMatchObject({
      name: 'InvalidResponseError',
      operation: 'submitJob',
      attempts: 1,
      traceId: expect.stringMatching(/^trc_/),
      idempotencyKey: expect.any(String),
    });
  });

  it('of a key that could not be fetched carries the key of the submission', async () => {
    const { url } = await scriptedServer(refusal(403, 'CONSENT_REQUIRED', false));
    const secrets = { account_password: '1234' };
    const action = 'bank_b.accounts.transaction_history.search';
    const work = testClient(url).jobs.submit({ action, secrets, idempotencyKey: 'k' });
    expect(await failureOf(work)).toMatchObject({ idempotencyKey: 'k' });
  });

  it('of a wait names the job, also on an abort', async () => {
    const { client, clock, service } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', runningMs: 3_600_000 });
    const job = await client.jobs.submit({ action: ACTION, idempotencyKey: 'k' });
    const stop = new AbortController();
    const work = failureOf(job.result({ signal: stop.signal }));
    await clock.advance(30_000);
    stop.abort();
    const facts = { jobId: job.id, idempotencyKey: 'k', traceId: expect.stringMatching(/^trc_/) };
    const error = await work;
    expect(error).toMatchObject({ name: 'AbortError', ...facts });
    expect(error).toHaveProperty('attempts', expect.any(Number));
  });

  it('of a handle names job and key when the service refuses to be read', async () => {
    const { client, service } = fake();
    const job = await client.jobs.submit({ action: ACTION, idempotencyKey: 'k' });
    service.route(() => ({ status: 403, body: { error: { code: 'CONSENT_REQUIRED' } } }));
    const facts = { name: 'PermissionError', jobId: job.id, idempotencyKey: 'k' };
    expect(await failureOf(job.wait())).toMatchObject(facts);
    expect(await failureOf(job.poll())).toMatchObject(facts);
    expect(await failureOf(job.cancel())).toMatchObject(facts);
  });

  it('of a read names the job that was read', async () => {
    const { client, service } = fake();
    service.route(() => ({ status: 404, body: { error: { code: 'JOB_NOT_FOUND' } } }));
    const error = await failureOf(client.jobs.get(JOB_ID));
    expect(error).toMatchObject({ name: 'NotFoundError', jobId: JOB_ID, attempts: 1 });
    expect(error).toHaveProperty('traceId', expect.stringMatching(/^trc_/));
  });

  it('of a job that was canceled, or did not end in time, has all facts of its wait', async () => {
    const { client, service, run } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 3_600_000 });
    const job = await client.jobs.submit({ action: ACTION, idempotencyKey: 'k' });
    const traceId = expect.stringMatching(/^trc_/);
    const facts = { operation: 'readJob', jobId: job.id, idempotencyKey: 'k', traceId };
    const late = await failureOf(run(job.wait({ timeoutMs: 90_000 })));
    expect(late).toMatchObject({ name: 'WaitTimeoutError', ...facts, attempts: 4 });
    const canceled = failureOf(run(job.result()));
    await job.cancel();
    expect(await canceled).toMatchObject({ name: 'JobCanceledError', ...facts });
  });

  it('of a wait whose reads all failed names the last of them', async () => {
    const { client, service, clock } = fake();
    const job = await client.jobs.submit({ action: ACTION });
    service.faults.add(
      ...Array.from({ length: 50 }, () => ({ kind: 'drop', when: 'before' }) as const),
    );
    const stop = new AbortController();
    const aborted = failureOf(job.wait({ signal: stop.signal }));
    await clock.advance(2_000);
    stop.abort();
    expect(await aborted).toHaveProperty('traceId', expect.stringMatching(/^trc_/));
  });

  it('of a wait that ran out while the job could not be read says why', async () => {
    const { client, service, clock, run } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 3_600_000 });
    const { id } = await client.jobs.submit({ action: ACTION });
    const error = { code: 'SERVICE_UNAVAILABLE', message: 'Not now.', retryable: true };
    let isDown = true;
    service.route(() => (isDown ? { status: 503, body: { error } } : null));
    const job = client.jobs.resume(id);
    const wait = (timeoutMs: number) => failureOf(run(job.wait({ timeoutMs })));
    const late = await wait(3_000);
    expect(late).toMatchObject({
      name: 'WaitTimeoutError',
      message: `The job ${id} did not end within 3000 ms (last seen null). 503 SERVICE_UNAVAILABLE: Not now.`,
      cause: { name: 'ServerError' },
      nextStep: { en: 'Wait for the job again with the resumeToken.' },
    });
    expect(JSON.stringify(late)).not.toContain('cause');
    isDown = false;
    // Of the next waits, the first is over before anything was read, and the second reads.
    for (const timeoutMs of [3_000, 40_000]) {
      expect(await wait(timeoutMs)).not.toHaveProperty('cause');
    }
    expect(clock.pendingTimers).toBe(0);
  });

  it('of the events of a job has all facts of the call', async () => {
    const { client, service } = fake();
    const job = await client.jobs.submit({ action: ACTION, idempotencyKey: 'k' });
    service.route(() => ({ status: 403, body: { error: { code: 'CONSENT_REQUIRED' } } }));
    const facts = { jobId: job.id, idempotencyKey: 'k', attempts: 1 };
    expect(await failureOf(job.events().next())).toMatchObject(facts);
    const signal = AbortSignal.abort();
    const left = await failureOf(job.events({ signal }).next());
    expect(left).toMatchObject({ name: 'AbortError', jobId: job.id, idempotencyKey: 'k' });
  });

  it('of a transport that cannot be made has the key of the call', async () => {
    const client = testClient('https://changgu.test', { connection: { proxy: 'nonsense://' } });
    const error = await failureOf(client.jobs.submit({ ...request, idempotencyKey: 'k' }));
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      operation: 'submitJob',
      idempotencyKey: 'k',
    });
  });

  it('of an all-accounts call has its key, and where to resume, whatever was wrong', async () => {
    const { client, service, run } = fake();
    const call = { action: HISTORY, batchKey: 'batch' } as const;
    const facts = { idempotencyKey: 'batch', checkpoint: { batchKey: 'batch' } };
    const outcome = (signal?: AbortSignal) =>
      failureOf(run(client.jobs.allAccounts(call, { signal }).next()));
    const round = () => failureOf(run(client.jobs.allAccountsRounds(call).next()));
    let answer: { status: number; body: object } = {
      status: 403,
      body: { error: { code: 'CONSENT_REQUIRED' } },
    };
    service.route(() => answer);
    expect(await outcome()).toMatchObject({ name: 'PermissionError', ...facts });
    expect(await round()).toMatchObject({ name: 'PermissionError', ...facts });
    answer = { status: 200, body: {} };
    const traced = { ...facts, attempts: 1, traceId: expect.stringMatching(/^trc_/) };
    expect(await outcome()).toMatchObject({ name: 'InvalidResponseError', ...traced });
    expect(await round()).toMatchObject({ name: 'InvalidResponseError', ...traced });
    const aborted = await outcome(AbortSignal.abort());
    expect(aborted).toMatchObject({ name: 'AbortError', ...facts });
  });

  it('of an answer that is not what it should be has the facts of its call', async () => {
    const { url } = await scriptedServer(json(200, { strange: true }));
    const client = testClient(url, { token: 'console-token' });
    const facts = { name: 'InvalidResponseError', attempts: 1 };
    const traced = { ...facts, traceId: expect.stringMatching(/^trc_/) };
    const login = client.account.login({ email: 'a@example.com', password: 'p' });
    expect(await failureOf(login)).toMatchObject({ ...traced, operation: 'login' });
    const secrets = { account_password: '1234' };
    const submission = client.jobs.submit({ action: HISTORY, secrets, idempotencyKey: 'k' });
    expect(await failureOf(submission)).toMatchObject({ ...traced, idempotencyKey: 'k' });
  });

  it('of a refused request names the first field', async () => {
    const { client } = fake();
    const error = await failureOf(client.jobs.submit({ action: ACTION, provider: '' }));
    expect(String(error)).toMatch(/\(body\.provider: .+\)$/);
  });

  it('ends in one full stop', async () => {
    const job = {
      jobId: 'job_1',
      status: 'FAILED',
      error: { code: 'X', message: '실패했습니다.' },
    };
    expect(new JobFailedError(job as never).message).toBe(
      'The job job_1 ended FAILED: X, 실패했습니다.',
    );
  });
});

describe("the caller's own mistake", () => {
  it('in a middleware is thrown at once, once, as itself', async () => {
    const { url, seen } = await scriptedServer(json(202, accepted));
    const mistake = new TypeError('x is not a function');
    let calls = 0;
    const middleware = [
      async () => {
        calls += 1;
        throw mistake;
      },
    ];
    expect(await failureOf(testClient(url, { middleware }).jobs.submit(request))).toBe(mistake);
    expect(calls).toBe(1);
    expect(seen).toHaveLength(0);
  });

  it.each([
    [{ 'x-own': 'line\nbreak SECRET' }, 'x-own'],
    [{ 'bad name': 'value' }, 'name'],
  ])('in a header is refused before anything is sent', async (headers, named) => {
    const { url, seen } = await scriptedServer(json(202, accepted));
    const error = await failureOf(testClient(url, { headers }).jobs.submit(request));
    expect(error).toMatchObject({ name: 'ConfigurationError', attempts: 1 });
    expect(String(error)).toContain(named);
    expect(String(error)).not.toContain('SECRET');
    expect(seen).toHaveLength(0);
  });

  it('is told from a connection that broke', async () => {
    const fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const client = testClient('http://127.0.0.1:1', { fetch, maxRetries: 0 });
    expect(await failureOf(client.jobs.submit(request))).toBeInstanceOf(ConnectionError);
  });
});

describe('the retry budget', () => {
  it('lets a burst of fifty submissions that meet one 503 succeed', async () => {
    const busy = refusal(503, 'SERVICE_UNAVAILABLE', true);
    const { url, seen } = await scriptedServer((request, response) =>
      (request.headers['x-changgu-attempt'] ? json(202, accepted) : busy)(request, response),
    );
    const client = testClient(url);
    const all = Array.from({ length: 50 }, () => client.jobs.submit(request));
    expect(await Promise.all(all)).toHaveLength(50);
    expect(seen).toHaveLength(100);
    // What they spent came back, so further bursts fare as well; without that, the third would not.
    for (let burst = 2; burst <= 4; burst++) {
      expect(await Promise.all(all.map(() => client.jobs.submit(request)))).toHaveLength(50);
    }
  });

  it('is not charged for a pause that the service asked for', async () => {
    const limited = refusal(429, 'RATE_LIMITED', true, { 'retry-after': '0' });
    const { url } = await scriptedServer(limited, limited, limited, json(202, accepted));
    const client = testClient(url, { retryBudget: { ratio: 0, burst: 0 } });
    expect((await client.jobs.submit(request)).id).toBe(accepted.job_id);
  });

  it('is shared with derived clients', async () => {
    const { url, seen } = await scriptedServer(dropped);
    const client = testClient(url, { retryBudget: { ratio: 0, burst: 2 }, maxRetries: 2 });
    await failureOf(client.jobs.submit(request));
    await failureOf(client.with({ language: 'en' }).jobs.submit(request));
    expect(seen).toHaveLength(3 + 1);
  });
});
