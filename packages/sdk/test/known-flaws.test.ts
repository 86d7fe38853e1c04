/**
 * Flaws measured in well-known clients (openai, stripe, fal, replicate, azure core-lro, gax, trigger.dev, ofetch,
 * plaid). Each is a test that this client passes.
 */
import { inspect } from 'node:util';
import { Changgu, JobFailedError, RateLimitError, WaitTimeoutError } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { testClient } from './support/client.ts';
import { ACTION, countedSignal, failureOf, fake, HISTORY } from './support/fake.ts';
import {
  accepted,
  dropped,
  JOB_ID,
  jobBody,
  json,
  refusal,
  resultBody,
  scriptedServer,
} from './support/scripted-server.ts';

/** Gaps between the reads of the job, in milliseconds of virtual time. */
function pollGaps(requests: readonly { path: string; method: string; at: number }[]): number[] {
  const polls = requests.filter(
    ({ method, path }) => method === 'GET' && /jobs\/[^/]+$/.test(path),
  );
  return polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? 0));
}

describe('polling', () => {
  it('openai: an unknown state causes no busy loop (145 requests in 300 ms) and starves no timer', async () => {
    const { client, service, clock } = fake({}, { longPolling: false });
    const handle = await client.jobs.submit({ action: ACTION });
    service.route(({ path }) =>
      path.startsWith('/v1/jobs/')
        ? { status: 200, body: jobBody('PAUSED_BY_A_NEWER_SERVICE', { retry_after_seconds: null }) }
        : null,
    );
    const stop = new AbortController();
    const waiting = failureOf(handle.wait({ signal: stop.signal }));
    await clock.advance(20_000);
    stop.abort();
    await waiting;
    expect(pollGaps(service.requests).every((gap) => gap >= 2000)).toBe(true);
    expect(service.requests.length).toBeLessThan(14);
    expect(handle.status).toBe('PAUSED_BY_A_NEWER_SERVICE');
  });

  it('azure: after an abort the same handle can be awaited again', async () => {
    const { client, service, run, clock } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 30_000 });
    const handle = await client.jobs.submit({ action: ACTION });
    const stop = new AbortController();
    const aborted = failureOf(handle.wait({ signal: stop.signal }));
    await clock.advance(1000);
    stop.abort();
    expect(await aborted).toMatchObject({ name: 'AbortError' });
    expect(await run(handle.wait())).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('azure: a listener that throws does not reject the wait', async () => {
    const logged: string[] = [];
    const note = (message: string) => logged.push(message);
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: note };
    const { client, run } = fake({ logger });
    const handle = await client.jobs.submit({ action: ACTION });
    const onProgress = () => {
      throw new Error('mine');
    };
    expect(await run(handle.wait({ onProgress }))).toMatchObject({ status: 'SUCCEEDED' });
    expect(logged).toContain('onProgress threw');
  });

  it('an async listener that rejects is logged, too, and ends no process', async () => {
    const logged: string[] = [];
    const note = (message: string) => logged.push(message);
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: note };
    const fails = async () => {
      throw new Error('mine');
    };
    const { client, service, run } = fake({ logger, onRetry: fails });
    service.faults.add({ kind: 'refuse' });
    await run(client.jobs.run({ action: ACTION }, { onProgress: fails }));
    expect(new Set(logged)).toEqual(new Set(['onRetry threw', 'onProgress threw']));
  });

  it('the events of a job can be left while the next one is awaited', async () => {
    const { client, service, run, clock } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 3_600_000 });
    const events = (await client.jobs.submit({ action: ACTION })).events();
    expect((await run(events.next())).value).toMatchObject({ status: 'QUEUED' });
    const next = events.next();
    await events.return();
    expect(await next).toEqual({ done: true, value: undefined });
    await clock.advance(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('azure, gax: one ECONNRESET while polling does not end the wait', async () => {
    const { client, service, run } = fake();
    const handle = await client.jobs.submit({ action: ACTION });
    service.faults.add(
      { kind: 'drop', when: 'before' },
      { kind: 'refusal', code: 'SERVICE_UNAVAILABLE' },
      { kind: 'truncate' },
    );
    expect(await run(handle.wait())).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('azure: the handle is not a thenable, so returning it does not wait for the job', async () => {
    const { client, service } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 3_600_000 });
    const submitted = async () => client.jobs.submit({ action: ACTION });
    const handle = await submitted();
    expect('then' in handle).toBe(false);
    expect(service.requests).toHaveLength(1);
  });

  it('azure: a stored handle that is not ours is refused without echoing it', () => {
    const { client } = fake();
    const bad = { v: 1, kind: 'job', origin: 'https://evil.test/SECRET', envScope: 'sandbox' };
    for (const token of [bad, { ...bad, v: 99 }, { kind: 'SECRET' }, null]) {
      // @ts-expect-error the compiler also refuses what is not a token
      const resume = () => client.jobs.resume(token);
      expect(resume).toThrow(/job token/);
      expect(resume).not.toThrow(/SECRET/);
    }
  });

  it('fal: the hint of the service decides the pace, not a fixed 500 ms', async () => {
    const { client, service, run } = fake({}, { longPolling: false });
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 9000, runningMs: 4000 });
    await run(client.jobs.run({ action: ACTION }));
    const gaps = pollGaps(service.requests);
    expect(gaps).toEqual([3000, 3000, 3000, 2000, 2000]);
  });

  it('replicate: a fractional hint is slept, too', async () => {
    const { client, service, run } = fake({}, { longPolling: false });
    const handle = await client.jobs.submit({ action: ACTION });
    let reads = 0;
    service.route(({ path }) => {
      if (!path.startsWith('/v1/jobs/')) return null;
      reads += 1;
      const body =
        reads < 3 ? jobBody('RUNNING', { retry_after_seconds: 1.7 }) : jobBody('SUCCEEDED');
      return { status: 200, body };
    });
    await run(handle.wait());
    expect(pollGaps(service.requests)).toEqual([1700, 1700]);
  });

  it('replicate: a 429 while polling is waited out (6 reads in 5 ms under Retry-After: 2)', async () => {
    const { client, service, run, clock } = fake();
    const handle = await client.jobs.submit({ action: ACTION });
    service.faults.add({ kind: 'refusal', code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    const start = clock.now();
    await run(handle.wait());
    const [first] = service.requests.filter(({ method }) => method === 'GET');
    expect((first?.at ?? 0) - start).toBeGreaterThanOrEqual(2000);
  });

  it('trigger.dev: a wait that runs out says so in a type, with a token to resume', async () => {
    const { client, service, run } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 3_600_000 });
    const handle = await client.jobs.submit({ action: ACTION });
    const error = await failureOf(run(handle.wait({ timeoutMs: 90_000 })));
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({
      lastStatus: 'QUEUED',
      observed: { QUEUED: 3 },
      resumeToken: { jobId: handle.id, idempotencyKey: handle.idempotencyKey },
    });
  });

  it('aws: a 403 ends the wait at once instead of hiding until the time is up', async () => {
    const { client, service, run, clock } = fake();
    const handle = await client.jobs.submit({ action: ACTION });
    service.faults.add({ kind: 'refusal', code: 'POLICY_ENV_NOT_ALLOWED' });
    const start = clock.now();
    const error = await failureOf(run(handle.wait({ timeoutMs: 3_600_000 })));
    expect(error).toMatchObject({ name: 'PermissionError', code: 'POLICY_ENV_NOT_ALLOWED' });
    expect(clock.now() - start).toBeLessThan(100);
  });

  it('aws: after an abort there is not one more request', async () => {
    const { client, service, clock } = fake({}, { longPolling: false });
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 60_000 });
    const handle = await client.jobs.submit({ action: ACTION });
    const stop = new AbortController();
    const waiting = failureOf(handle.wait({ signal: stop.signal }));
    await clock.advance(1000);
    const before = service.requests.length;
    stop.abort();
    await waiting;
    await clock.advance(60_000);
    expect(service.requests.length).toBe(before);
  });

  it('replicate, fal: an abort rejects, also between polls and also when it came before', async () => {
    const { client, service, clock } = fake({}, { longPolling: false });
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 60_000 });
    const handle = await client.jobs.submit({ action: ACTION });
    const { controller, signal, listeners } = countedSignal();
    const waiting = failureOf(handle.result({ signal }));
    await clock.advance(500);
    controller.abort(new Error('reason'));
    expect(await waiting).toMatchObject({ name: 'AbortError', cause: { message: 'reason' } });
    expect(listeners()).toBe(0);
    expect(await failureOf(handle.result({ signal }))).toMatchObject({ name: 'AbortError' });
  });

  it('one waiter that leaves does not disturb the others, and they share the reads', async () => {
    const { client, service, run, clock } = fake({}, { longPolling: false });
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 9000 });
    const handle = await client.jobs.submit({ action: ACTION });
    const stop = new AbortController();
    const leaving = failureOf(handle.wait({ signal: stop.signal }));
    const staying = [handle.wait(), handle.wait(), handle.result()];
    await clock.advance(4000);
    stop.abort();
    await leaving;
    await run(Promise.all(staying));
    expect(pollGaps(service.requests)).toEqual([3000, 3000, 3000, 2000]);
  });
});

describe('submitting', () => {
  it('an abort ends a submission also while the key of the service is awaited', async () => {
    const { client, service } = fake();
    service.faults.add({ kind: 'silence', when: 'before', on: /public-key/ });
    const { controller, signal, listeners } = countedSignal();
    const secrets = { account_password: '1234' };
    const work = failureOf(client.jobs.submit({ action: HISTORY, secrets }, { signal }));
    await service.clock.advance(0);
    controller.abort();
    expect(await work).toMatchObject({ name: 'AbortError' });
    expect(listeners()).toBe(0);
  });

  it('openai: a short total clock is for calls, and does not cut a long poll', async () => {
    const { client, service, run } = fake({ totalTimeoutMs: 2000, attemptTimeoutMs: 1000 });
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 60_000 });
    expect(await run(client.jobs.run({ action: ACTION }))).toMatchObject({ sandbox: true });
  });

  it('fal, replicate: a submission is repeated under its key only (6 creations on one failure)', async () => {
    const { client, service, run } = fake();
    service.faults.add(
      { kind: 'drop', when: 'after' },
      { kind: 'drop', when: 'before' },
      { kind: 'refuse' },
      { kind: 'truncate' },
    );
    const handle = await run(client.jobs.submit({ action: ACTION }));
    expect(service.jobs.map(({ id }) => id)).toEqual([handle.id]);
    expect(handle.replayed).toBe(true);
  });

  it('ofetch, openai: the key is sent, and is minted once and not per attempt (k1, k2, k3)', async () => {
    const { url, seen } = await scriptedServer(dropped, dropped, json(202, accepted));
    const handle = await testClient(url).jobs.submit({ action: ACTION });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([handle.idempotencyKey, handle.idempotencyKey, handle.idempotencyKey]);
  });

  it('ofetch: an attempt clock and retries go together, also beside a signal', async () => {
    const { url, seen } = await scriptedServer(
      () => {},
      () => {},
      json(202, accepted),
    );
    const client = testClient(url, { attemptTimeoutMs: 300 });
    await client.jobs.submit({ action: ACTION }, { signal: new AbortController().signal });
    expect(seen).toHaveLength(3);
  });

  it('ofetch: 409 is not repeated', async () => {
    const { url, seen } = await scriptedServer(refusal(409, 'CONFLICT_STATE', true));
    await failureOf(testClient(url).jobs.submit({ action: ACTION }));
    expect(seen).toHaveLength(1);
  });

  it('openai, stripe, fal: Retry-After is not replaced by an own backoff, below the ceiling or above', async () => {
    const { client, service, run, clock } = fake();
    service.faults.add({ kind: 'refusal', code: 'RATE_LIMITED', retryAfterSeconds: 61 });
    const start = clock.now();
    await run(client.jobs.submit({ action: ACTION }));
    expect(clock.now() - start).toBeGreaterThanOrEqual(61_000);

    service.faults.add({ kind: 'refusal', code: 'RATE_LIMITED', retryAfterSeconds: 277_403 });
    const error = await failureOf(client.jobs.submit({ action: ACTION }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: 277_403_000, attempts: 1 });
  });

  it('node: a timer beyond 2^31 ms does not fire at once', async () => {
    const { url } = await scriptedServer(json(200, jobBody('RUNNING')));
    const client = testClient(url, { totalTimeoutMs: 2 ** 40, attemptTimeoutMs: 2 ** 40 });
    expect(await client.jobs.get(JOB_ID)).toMatchObject({ status: 'RUNNING' });
  });
});

describe('errors', () => {
  it('plaid: no secret and no header in any error, however deep one looks', async () => {
    const { url } = await scriptedServer(dropped);
    const error = await failureOf(
      testClient(url, { maxRetries: 0 }).jobs.submit({
        action: ACTION,
        params: {},
        encryptedFields: {},
      }),
    );
    const text = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
    expect(text).toContain('CONNECTION_FAILED');
    expect(text).not.toMatch(/the-secret|Basic |authorization/i);
    expect(text).not.toContain(btoa('cli_test:the-secret'));
  });

  it('plaid: neither does the client itself show them', () => {
    const client = testClient('http://127.0.0.1:1', {
      token: 'bearer-token',
      apiKey: 'legacy-key',
    });
    const text = inspect(client, { depth: null, showHidden: true }) + JSON.stringify(client);
    expect(text).not.toMatch(/the-secret|bearer-token|legacy-key/);
  });

  it.each([
    ['token', { token: 'the\ntoken' }],
    ['apiKey', { apiKey: 'the\u00e9token' }],
  ])('undici: a %s that no header can hold is not quoted', async (name, options) => {
    const { url, seen } = await scriptedServer(json(200, jobBody('RUNNING')));
    const client = new Changgu({ baseUrl: url, ...options });
    const error = await failureOf(client.jobs.submit({ action: ACTION, idempotencyKey: 'k' }));
    expect(error).toMatchObject({ code: 'CONFIGURATION_INVALID', idempotencyKey: 'k' });
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('the');
    expect((error as Error).message).toContain(name);
    expect(seen).toHaveLength(0);
  });

  it('a token from a file may end in a line break', async () => {
    const { url, seen } = await scriptedServer(json(200, jobBody('RUNNING')));
    await new Changgu({ baseUrl: url, token: 'abc\n' }).jobs.get(JOB_ID);
    expect(seen[0]?.headers.authorization).toBe('Bearer abc');
  });

  it('node: the password in the address of a proxy is not quoted', async () => {
    const proxy = 'not-a-url:the-password@proxy';
    const client = testClient('https://changgu.test', { connection: { proxy } });
    const error = await failureOf(client.jobs.submit({ action: ACTION, idempotencyKey: 'k' }));
    expect(error).toMatchObject({ code: 'CONFIGURATION_INVALID', operation: 'submitJob' });
    expect(error).toMatchObject({ idempotencyKey: 'k', attempts: 0 });
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('the-password');
  });

  it('an abort while the token is awaited names the call and its key', async () => {
    const stop = new AbortController();
    const token = () => new Promise<string>(() => {});
    const client = new Changgu({ baseUrl: 'https://changgu.test', token });
    const request = { action: ACTION, idempotencyKey: 'k' };
    const work = failureOf(client.jobs.submit(request, { signal: stop.signal }));
    setImmediate(() => stop.abort());
    const facts = { name: 'AbortError', operation: 'submitJob', idempotencyKey: 'k' };
    expect(await work).toMatchObject(facts);
  });

  it('plaid: the error of a job holds neither params nor secrets of the call', async () => {
    const { client, run } = fake();
    const error = await failureOf(
      run(
        client.jobs.run({
          action: 'bank_b.accounts.transaction_history.search',
          params: { from_date: '20260101' },
          encryptedFields: { account_password: Buffer.alloc(512, 'ABCDEF').toString('base64') },
          sandboxOutcome: 'FAILED',
        }),
      ),
    );
    expect(error).toBeInstanceOf(JobFailedError);
    expect(inspect(error, { depth: null })).not.toMatch(/20260101|QUJDREVG/);
  });
});

describe('downloads', () => {
  it('buildkite, penpot: a signed URL is never asked for with Authorization', async () => {
    const bytes = Buffer.from('the file');
    const file = await scriptedServer((_, response) => {
      response.end(bytes);
    });
    const artifact = {
      artifact_id: 'art_1',
      name: 'a.txt',
      content_type: 'text/plain',
      size_bytes: bytes.length,
      sha256: null,
      expires_at: null,
      expired: false,
      download_url: `${file.url}/signed?sig=abc`,
    };
    const { url } = await scriptedServer(
      json(200, { ...resultBody, result: { ...resultBody.result, artifacts: [artifact] } }),
    );
    const client = testClient(url, { headers: { 'X-Mine': '1' } });
    const { artifacts } = await client.jobs.result(JOB_ID);
    const [first] = artifacts;
    if (!first) throw new Error('no artifact');
    expect(Buffer.from(await client.artifacts.bytes(first))).toEqual(bytes);
    const { headers } = file.seen[0] ?? {};
    expect(headers).toMatchObject({ accept: '*/*' });
    for (const name of ['authorization', 'x-env-scope', 'x-mine', 'x-trace-id', 'x-api-key']) {
      expect(headers).not.toHaveProperty(name);
    }
  });
});
