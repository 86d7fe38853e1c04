/** A fetch that the caller gives may do anything: the clocks, the bounds and the errors are the SDK's. */
import {
  type ClientOptions,
  type Fetch,
  type FetchAnswer,
  InvalidResponseError,
  RedirectRefusedError,
} from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { request, testClient } from './support/client.ts';
import { countedSignal, failureOf } from './support/fake.ts';
import { accepted, JOB_ID, jobBody } from './support/scripted-server.ts';

const client = (fetch: Fetch, options: ClientOptions = {}) =>
  testClient('http://127.0.0.1:1', { fetch, maxRetries: 0, ...options });

function answer(status: number, body: ReadableStream<Uint8Array> | string): FetchAnswer {
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

/** A body of so many pieces of a megabyte, or without an end. */
function megabytes(count: number) {
  const piece = new Uint8Array(1024 * 1024).fill(32);
  const seen = { pulled: 0, canceled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.pulled += 1;
        controller.enqueue(piece);
        if (seen.pulled === count) controller.close();
      },
      cancel() {
        seen.canceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

describe('a given fetch', () => {
  it('gets method, headers, body and signal, and is told not to follow redirects', async () => {
    const seen: Parameters<Fetch>[] = [];
    const fetch: Fetch = async (...args) => {
      seen.push(args);
      return answer(202, JSON.stringify(accepted));
    };
    await client(fetch).jobs.submit(request);
    await client(fetch).jobs.get(JOB_ID);
    expect(seen[0]?.[0]).toBe('http://127.0.0.1:1/v1/jobs');
    expect(seen[0]?.[1]).toMatchObject({ method: 'POST', redirect: 'manual' });
    expect(seen[0]?.[1].body).toContain(request.action);
    expect(seen[1]?.[1]).toMatchObject({ method: 'GET', body: null });
  });

  it.each(['attemptTimeoutMs', 'totalTimeoutMs'])(
    'that does not heed its signal is ended by %s',
    async (clock) => {
      const never: Fetch = () => new Promise(() => {});
      const { signal, listeners } = countedSignal();
      const work = client(never, { [clock]: 20 }).jobs.get(JOB_ID, { signal });
      expect(await failureOf(work)).toMatchObject({ name: 'TimeoutError', limitMs: 20 });
      expect(listeners()).toBe(0);
    },
  );

  it('whose body stalls and does not heed its signal is ended by the stall clock', async () => {
    const stalled: Fetch = async () => answer(200, new ReadableStream());
    const work = client(stalled, { stallTimeoutMs: 20 }).jobs.get(JOB_ID);
    expect(await failureOf(work)).toMatchObject({ name: 'TimeoutError', clock: 'stall' });
  });

  it('under a middleware that does not come back is ended by its clock, too', async () => {
    const fetch: Fetch = async () => answer(200, '{}');
    const work = client(fetch, { attemptTimeoutMs: 20 }).jobs.get(JOB_ID, {
      middleware: [() => new Promise(() => {})],
    });
    expect(await failureOf(work)).toMatchObject({ name: 'TimeoutError', clock: 'attempt' });
  });

  it('is ended by an abort of the caller, at once', async () => {
    const { controller, signal, listeners } = countedSignal();
    const work = failureOf(client(() => new Promise(() => {})).jobs.get(JOB_ID, { signal }));
    setImmediate(() => controller.abort());
    expect(await work).toMatchObject({ name: 'AbortError', operation: 'readJob' });
    expect(listeners()).toBe(0);
  });

  it('whose body has no end fills no memory, and is not asked again', async () => {
    const { body, seen } = megabytes(Number.POSITIVE_INFINITY);
    let calls = 0;
    const endless: Fetch = async () => {
      calls += 1;
      return answer(200, body);
    };
    const error = await failureOf(client(endless, { maxRetries: 2 }).jobs.get(JOB_ID));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ retryable: false, attempts: 1 });
    expect(seen).toEqual({ pulled: 65, canceled: true });
    expect(calls).toBe(1);
  });

  it('may answer with a large body', async () => {
    const text = JSON.stringify(jobBody('RUNNING')) + ' '.repeat(8 * 1024 * 1024);
    const job = await client(async () => answer(200, text)).jobs.get(JOB_ID);
    expect(job.status).toBe('RUNNING');
  });

  it.each([
    ['a redirect', 307, 'basic'],
    ['a redirect that the runtime hides', 0, 'opaqueredirect'],
  ])(
    'that answers with %s is refused, also when its body cannot be thrown away',
    async (_, status, type) => {
      const fetch: Fetch = async () => ({
        status,
        type,
        headers: new Headers(),
        body: {
          getReader: () => expect.fail('it is not read'),
          cancel: () => Promise.reject(new Error('locked')),
        },
      });
      expect(await failureOf(client(fetch).jobs.get(JOB_ID))).toBeInstanceOf(RedirectRefusedError);
    },
  );

  it('that throws instead of rejecting is a connection that failed', async () => {
    const fetch: Fetch = () => {
      throw new TypeError('no network');
    };
    expect(await failureOf(client(fetch).jobs.submit(request))).toMatchObject({
      code: 'CONNECTION_FAILED',
      operation: 'submitJob',
      idempotencyKey: expect.any(String),
    });
  });

  it('that breaks within a body is a connection that failed', async () => {
    const fetch: Fetch = async () =>
      answer(
        200,
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{'));
            controller.error(new TypeError('terminated'));
          },
        }),
      );
    expect(await failureOf(client(fetch).jobs.get(JOB_ID))).toMatchObject({
      code: 'CONNECTION_FAILED',
      retryable: true,
    });
  });
});
