import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let line: Server;
let client: Changgu;
/** Where each connection asked to continue. */
const places: (string | undefined)[] = [];

beforeAll(async () => {
  server = await startTestServer();
  line = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (url.startsWith('/v1/events')) places.push(headers['last-event-id']?.toString());
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
