import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Changgu, type JobHandle } from '@changgu/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let line: Server;
let client: Changgu;
/** Where each connection asked to continue. */
const places: (string | undefined)[] = [];
/** How many reads asked the service to wait for a change. */
let longPolls = 0;
let refusesStreams = false;

beforeAll(async () => {
  // Long enough for a wait to begin.
  server = await startTestServer({ env: { SANDBOX_DELAY_MS: '300' } });
  line = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (url.startsWith('/v1/events')) places.push(headers['last-event-id']?.toString());
    if (headers.prefer?.includes('wait')) longPolls += 1;
    if (url.startsWith('/v1/events') && refusesStreams) {
      outgoing.writeHead(503).end();
      return;
    }
    const onward = request(new URL(url, server.url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const { port } = line.address() as AddressInfo;
  client = new Changgu({
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: server.client.client_id,
    clientSecret: server.client.client_secret,
    envScope: 'sandbox',
    random: () => 0,
  });
});
afterAll(async () => {
  await client.close();
  line.closeAllConnections();
  line.close();
  await server[Symbol.asyncDispose]();
});

it('continues after every broken connection, and gives each event once and in order', async () => {
  const first = await client.jobs.submit({ action: 'bank_a.accounts.list', params: {} });
  await first.result();
  const [queued] = (await client.events.list({ jobId: first.id })).items;
  const seen: string[] = [];
  let second: string | null = null;
  for await (const event of client.events.stream({ after: queued?.eventId ?? '' })) {
    seen.push(`${event.subject.jobId === first.id ? 'first' : 'second'} ${event.type}`);
    line.closeAllConnections();
    if (seen.length === 2) {
      const job = await server.call('POST', '/v1/jobs', {
        key: 'second',
        body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
      });
      second = job.body.job_id;
    }
    if (event.type === 'job.finished' && event.subject.jobId === second) break;
  }
  expect(seen).toEqual([
    'first job.started',
    'first job.finished',
    'second job.queued',
    'second job.started',
    'second job.finished',
  ]);
  expect(places.filter((place) => place !== undefined).length).toBeGreaterThan(1);
});

describe('waits for jobs', () => {
  /** How long a wait relies on a stream without reading the job again. */
  const MAX_PAUSE_MS = 25_000;
  let leave: AbortController;
  let waiter: Changgu;

  beforeEach(() => {
    longPolls = 0;
    refusesStreams = false;
    leave = new AbortController();
    waiter = client.with({
      clock: {
        now: () => performance.now(),
        // That pause never ends here, so a wait that was not told of the end would not end either.
        setTimeout: (callback, ms) => (ms === MAX_PAUSE_MS ? undefined : setTimeout(callback, ms)),
        clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
      },
    });
  });
  afterEach(() => leave.abort());

  /** Reads the stream as a program does that handles events. */
  async function openStream(query: Parameters<Changgu['events']['stream']>[0] = {}): Promise<void> {
    const opened = Promise.withResolvers<void>();
    const options = { signal: leave.signal, onPlace: () => opened.resolve() };
    const reading = (async () => {
      for await (const event of waiter.events.stream(query, options)) void event;
    })();
    reading.catch(opened.reject);
    await opened.promise;
  }

  const submit = () => waiter.jobs.submit({ action: 'bank_a.accounts.list', params: {} });
  const submitAll = () => Promise.all(Array.from({ length: 20 }, submit));

  /** How many of them have succeeded, when all have ended. */
  async function succeeded(jobs: readonly JobHandle[]): Promise<number> {
    const ends = await Promise.all(jobs.map((job) => job.wait()));
    return ends.filter(({ status }) => status === 'SUCCEEDED').length;
  }

  it('learn of the ends from an open stream, however many there are', async () => {
    await openStream();
    expect(await succeeded(await submitAll())).toBe(20);
    expect(longPolls).toBe(0);
  });

  it('ask the service again when the stream breaks and cannot be opened', async () => {
    await openStream();
    // One: of many, the first would have ended before the last was submitted.
    const end = succeeded([await submit()]);
    refusesStreams = true;
    line.closeAllConnections();
    expect(await end).toBe(1);
    expect(longPolls).toBeGreaterThan(0);
  });

  it('rely on no stream that is told only a part', async () => {
    await openStream({ type: ['job.finished'] });
    expect(await succeeded(await submitAll())).toBe(20);
    expect(longPolls).toBeGreaterThan(0);
  });

  it('end in the body of the loop that reads the stream', async () => {
    const opened = Promise.withResolvers<void>();
    const stream = waiter.events.stream({}, { onPlace: () => opened.resolve() });
    const first = stream.next();
    await opened.promise;
    const job = await submit();
    await first;
    expect(await succeeded([job])).toBe(1);
    await stream.return();
  });

  it('continue when the reader of the stream turns to something else', async () => {
    const opened = Promise.withResolvers<void>();
    const stream = waiter.events.stream({}, { onPlace: () => opened.resolve() });
    const first = stream.next();
    await opened.promise;
    const jobs = await submitAll();
    const ends = succeeded(jobs);
    // It takes one event and never asks for the next.
    await first;
    expect(await ends).toBe(20);
    await stream.return();
  });
});

it('can be left while it waits', async () => {
  const stream = client.events.stream({ type: ['invoice.paid'] });
  const waiting = stream.next();
  await stream.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

it('ends with the refusal of a key that is not valid', async () => {
  const stranger = client.with({ clientSecret: 'wrong' });
  await expect(stranger.events.stream().next()).rejects.toMatchObject({
    code: 'AUTH_INVALID_CREDENTIALS',
  });
});
