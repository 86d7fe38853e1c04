import { createServer } from 'node:net';
import {
  AbortedError,
  ConnectionError,
  IdempotencyConflictError,
  InvalidResponseError,
  RateLimitError,
  RedirectRefusedError,
  TimeoutError,
} from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { request, testClient } from '../support/client.ts';
import {
  type Answer,
  accepted,
  dropped,
  json,
  refusal,
  scriptedServer,
} from '../support/scripted-server.ts';

const ok = json(202, accepted);

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  );
}

describe('a submission on real sockets', () => {
  it('sends the same key and the same bytes after the connection dropped', async () => {
    const { url, seen } = await scriptedServer(dropped, dropped, ok);
    const handle = await testClient(url).jobs.submit(request);
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
    expect(handle.idempotencyKey).toBe(seen[0]?.headers['idempotency-key']);
    expect(seen.map(({ headers }) => headers['x-changgu-attempt'])).toEqual([undefined, '2', '3']);
  });

  it('sleeps as long as Retry-After says after a 503, and no less', async () => {
    const { url, seen } = await scriptedServer(
      refusal(503, 'SERVICE_UNAVAILABLE', true, { 'retry-after': '1' }),
      ok,
    );
    await testClient(url).jobs.submit(request);
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('measures a Retry-After date against the clock of the service', async () => {
    const yearsAhead = new Date('2031-01-01T00:00:00Z').toUTCString();
    const oneSecondLater = new Date('2031-01-01T00:00:01Z').toUTCString();
    const { url, seen } = await scriptedServer(
      refusal(503, 'SERVICE_UNAVAILABLE', true, {
        'retry-after': oneSecondLater,
        date: yearsAhead,
      }),
      ok,
    );
    await testClient(url).jobs.submit(request);
    const gap = (seen[1]?.at ?? 0) - (seen[0]?.at ?? 0);
    expect(gap).toBeGreaterThanOrEqual(990);
    expect(gap).toBeLessThan(3000);
  });

  it('fails at once on a Retry-After above the ceiling, and carries it (D152)', async () => {
    const { url, seen } = await scriptedServer(
      refusal(429, 'POLICY_QUOTA_EXCEEDED', true, { 'retry-after': '3600' }),
    );
    const error = await failureOf(testClient(url).jobs.submit(request));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'POLICY_QUOTA_EXCEEDED', retryAfterMs: 3_600_000 });
    expect(seen).toHaveLength(1);
  });

  it('takes truncated JSON for a broken connection and asks again with the key', async () => {
    const truncated: Answer = (_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' });
      response.end('{"job_id": "job_01');
    };
    const { url, seen } = await scriptedServer(truncated, ok);
    await testClient(url).jobs.submit(request);
    expect(seen).toHaveLength(2);
  });

  it('never takes half a body for a string', async () => {
    const html: Answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>');
    };
    const { url } = await scriptedServer(html);
    const error = await failureOf(testClient(url, { maxRetries: 0 }).jobs.submit(request));
    expect(error).toBeInstanceOf(InvalidResponseError);
  });

  it('ends a trickled body by the stall clock', async () => {
    const trickle: Answer = (_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' });
      response.write('{');
    };
    const { url } = await scriptedServer(trickle);
    const client = testClient(url, { stallTimeoutMs: 60, maxRetries: 0 });
    const error = await failureOf(client.jobs.submit(request));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ clock: 'stall', limitMs: 60, attempts: 1 });
  });

  it('covers the body with the attempt clock, also when it keeps trickling', async () => {
    const drip: Answer = (_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    };
    const { url } = await scriptedServer(drip);
    const error = await failureOf(
      testClient(url, { attemptTimeoutMs: 120, maxRetries: 0 }).jobs.submit(request),
    );
    expect(error).toMatchObject({ name: 'TimeoutError', clock: 'attempt' });
  });

  it('retries after a time-out of an attempt, each attempt with its own clock', async () => {
    const silent: Answer = () => {};
    const { url, seen } = await scriptedServer(silent, silent, ok);
    await testClient(url, { attemptTimeoutMs: 80 }).jobs.submit(request);
    expect(seen).toHaveLength(3);
  });

  it('ends everything by the total clock', async () => {
    const { url } = await scriptedServer(() => {});
    const client = testClient(url, { attemptTimeoutMs: 600, totalTimeoutMs: 900, maxRetries: 50 });
    const error = await failureOf(client.jobs.submit(request));
    expect(error).toMatchObject({ name: 'TimeoutError', clock: 'total' });
  });

  it('never follows a redirect, so that neither key nor credentials leave the origin', async () => {
    const elsewhere = await scriptedServer(ok);
    const redirect: Answer = (_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/v1/jobs` });
      response.end();
    };
    const { url } = await scriptedServer(redirect);
    const error = await failureOf(testClient(url).jobs.submit(request));
    expect(error).toBeInstanceOf(RedirectRefusedError);
    expect(elsewhere.seen).toHaveLength(0);
  });

  it('says that a name that does not resolve was never sent to', async () => {
    const client = testClient('https://changgu.invalid', { maxRetries: 1 });
    const error = await failureOf(client.jobs.submit(request));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ neverSent: true, attempts: 2, operation: 'submitJob' });
  });

  it('says that a refused connection was never sent to, and keeps the key on the error', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const client = testClient(`http://127.0.0.1:${port}`, { maxRetries: 2 });
    const error = await failureOf(client.jobs.submit({ ...request, idempotencyKey: 'my-key' }));
    expect(error).toMatchObject({
      name: 'ConnectionError',
      systemCode: 'ECONNREFUSED',
      neverSent: true,
      idempotencyKey: 'my-key',
      attempts: 3,
    });
  });

  it('does not repeat what the service says is not worth repeating', async () => {
    const { url, seen } = await scriptedServer(refusal(503, 'PROVIDER_NOT_CONFIGURED', false));
    await failureOf(testClient(url).jobs.submit(request));
    expect(seen).toHaveLength(1);
  });

  it('does not repeat a reused key', async () => {
    const { url, seen } = await scriptedServer(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT', false));
    const error = await failureOf(testClient(url).jobs.submit(request));
    expect(error).toBeInstanceOf(IdempotencyConflictError);
    expect(seen).toHaveLength(1);
  });

  it('tells an error page of a proxy from an error of the service', async () => {
    const proxy: Answer = (_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad Gateway</h1>');
    };
    const { url, seen } = await scriptedServer(proxy, ok);
    await testClient(url).jobs.submit(request);
    expect(seen).toHaveLength(2);
    const failing = await scriptedServer(proxy);
    const client = testClient(failing.url, { maxRetries: 0 });
    expect(await failureOf(client.jobs.submit(request))).toMatchObject({
      name: 'ServerError',
      code: 'HTTP_ERROR',
      status: 502,
    });
  });

  it('aborts at once while it sleeps before a retry', async () => {
    const { url } = await scriptedServer(
      refusal(503, 'SERVICE_UNAVAILABLE', true, { 'retry-after': '30' }),
    );
    const controller = new AbortController();
    let abortedAt = 0;
    const client = testClient(url, {
      onRetry: () => {
        setTimeout(() => {
          abortedAt = performance.now();
          controller.abort(new Error('enough'));
        }, 5);
      },
    });
    const error = await failureOf(client.jobs.submit(request, { signal: controller.signal }));
    // It would have slept for 30 s.
    expect(performance.now() - abortedAt).toBeLessThan(5_000);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ name: 'AbortError', cause: { message: 'enough' }, attempts: 1 });
    expect(error).toHaveProperty('idempotencyKey', expect.stringMatching(/^[0-9a-f-]{36}$/));
  });

  it('sends nothing when the signal was aborted before', async () => {
    const { url, seen } = await scriptedServer(ok);
    const error = await failureOf(
      testClient(url).jobs.submit(request, { signal: AbortSignal.abort() }),
    );
    expect(error).toBeInstanceOf(AbortedError);
    expect(seen).toHaveLength(0);
  });

  it('stops retrying when the retry budget is spent', async () => {
    const { url, seen } = await scriptedServer(dropped);
    const client = testClient(url, { retryBudget: { ratio: 0.1, burst: 3 }, maxRetries: 2 });
    for (let call = 0; call < 4; call++) await failureOf(client.jobs.submit(request));
    // Four calls of three attempts would be twelve: the budget allows three retries in all.
    expect(seen).toHaveLength(4 + 3);
  });
});
