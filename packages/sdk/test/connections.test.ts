import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ConnectionError } from '@changgu/sdk';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { request, testClient } from './support/client.ts';
import { failureOf } from './support/fake.ts';
import {
  type Answer,
  accepted,
  JOB_ID,
  jobBody,
  json,
  scriptedServer,
} from './support/scripted-server.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');
const cert = fixture('localhost.cert.pem');

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return port;
}

/** A proxy that passes http on and tunnels https, and remembers where to. */
async function startProxy() {
  const targets: string[] = [];
  const server = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming;
    targets.push(new URL(url).host);
    const upstream = forward(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(upstream);
  });
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    targets.push(url);
    const [host = '', port] = url.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, targets };
}

async function startSecureServer(): Promise<string> {
  const server = createSecureServer({ cert, key: fixture('localhost.key.pem') }, (_, response) => {
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(accepted));
  });
  return `https://localhost:${await listen(server)}`;
}

afterEach(() => vi.unstubAllEnvs());

describe('connections of the Node transport', () => {
  it('go through the proxy of the option', async () => {
    const service = await scriptedServer(json(202, accepted));
    const proxy = await startProxy();
    const client = testClient(service.url, { connection: { proxy: proxy.url } });
    await client.jobs.submit(request);
    expect(proxy.targets).toEqual([new URL(service.url).host]);
  });

  it('go through the proxy of the environment, unless told not to', async () => {
    const service = await scriptedServer(json(202, accepted));
    const proxy = await startProxy();
    vi.stubEnv('http_proxy', proxy.url);
    await testClient(service.url).jobs.submit(request);
    expect(proxy.targets).toHaveLength(1);
    await testClient(service.url, { connection: { proxy: false } }).jobs.submit(request);
    expect(proxy.targets).toHaveLength(1);
  });

  it('tunnel https through a proxy and trust an own authority behind it', async () => {
    const url = await startSecureServer();
    const proxy = await startProxy();
    const client = testClient(url, { connection: { proxy: proxy.url, ca: cert } });
    expect((await client.jobs.submit(request)).id).toBe(accepted.job_id);
    expect(proxy.targets).toEqual([new URL(url).host]);
  });

  it('trust a configured certificate authority, and no unknown one', async () => {
    const url = await startSecureServer();
    const trusting = testClient(url, { connection: { ca: cert } });
    expect((await trusting.jobs.submit(request)).id).toBe(accepted.job_id);
    const error = await failureOf(testClient(url).jobs.submit(request));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ neverSent: true, retryable: false, attempts: 1 });
  });
});

/** An answer as a compressing proxy passes it on. */
function coded(encoding: string, bytes: Buffer): Answer {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  return (_, response) => void response.writeHead(202, headers).end(bytes);
}

describe('answers that a proxy compressed', () => {
  const plain = JSON.stringify(accepted);
  const wide = Buffer.from(
    JSON.stringify({ ...accepted, note: randomBytes(60_000).toString('hex') }),
  );

  it.each([
    ['gzip', gzipSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['deflate', deflateSync(plain)],
    ['gzip, of many packets', gzipSync(wide)],
  ])('are read (%s)', async (encoding, bytes) => {
    const { url, seen } = await scriptedServer(coded(encoding.split(',')[0] ?? '', bytes));
    const job = await testClient(url).jobs.submit(request);
    expect(job.id).toBe(JOB_ID);
    expect(seen[0]?.headers['accept-encoding']).toBe('gzip, br');
  });

  it('and cut off are a lost connection, which is tried again under the same key', async () => {
    const cut = gzipSync(wide).subarray(0, 20_000);
    const { url, seen } = await scriptedServer(coded('gzip', cut), json(202, accepted));
    const job = await testClient(url).jobs.submit(request);
    expect(job.id).toBe(JOB_ID);
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([job.idempotencyKey, job.idempotencyKey]);
  });

  it('and are not what they say are a ConnectionError that quotes nothing', async () => {
    const { url } = await scriptedServer(coded('gzip', Buffer.from(plain)));
    const error = await failureOf(testClient(url, { maxRetries: 0 }).jobs.submit(request));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).not.toContain(JOB_ID);
  });
});

describe('headers of an answer', () => {
  it('are read by any spelling, repeated ones as one value, and listed', async () => {
    const { url } = await scriptedServer((_, response) => {
      response.writeHead(
        200,
        [
          ['content-type', 'application/json'],
          ['X-Request-Id', 'req_1'],
          ['x-twice', 'a'],
          ['x-twice', 'b'],
        ].flat(),
      );
      response.end(JSON.stringify(jobBody('RUNNING')));
    });
    const { response } = await testClient(url).jobs.get(JOB_ID).withResponse();
    expect(response.requestId).toBe('req_1');
    expect(response.headers.get('X-Twice')).toBe('a, b');
    expect(response.headers.get('constructor')).toBeNull();
    expect(Object.fromEntries(response.headers.entries?.() ?? [])).toMatchObject({
      'x-request-id': 'req_1',
      'x-twice': 'a, b',
    });
  });
});

describe('waits', () => {
  it('on any number of jobs leave room for other requests', async () => {
    const held: (() => void)[] = [];
    const answer: Answer = (seen, response) => {
      if (seen.url === '/health') return json(200, { status: 'ok' })(seen, response);
      const body = jobBody('RUNNING', { retry_after_seconds: 60 });
      const send = () => void json(200, body, { 'preference-applied': 'wait=25' })(seen, response);
      if (seen.headers.prefer) held.push(send);
      else send();
      return undefined;
    };
    const { url, seen } = await scriptedServer(answer);
    const client = testClient(url, { connection: { connections: 2, waits: 4 } });
    const stop = new AbortController();
    const waits = Array.from({ length: 12 }, () =>
      failureOf(client.jobs.resume(JOB_ID).wait({ signal: stop.signal })),
    );
    await vi.waitFor(() => expect(seen).toHaveLength(12), 20_000);
    expect(held).toHaveLength(4);
    await client.system.health();
    stop.abort();
    await Promise.all(waits);
    for (const send of held) send();
  });

  it('have their connections beside those of open streams', async () => {
    const answer: Answer = (seen, response) => {
      if (!seen.url.startsWith('/v1/events'))
        return json(200, jobBody('SUCCEEDED'))(seen, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: evt_${'0'.repeat(26)}\n\n`);
      return undefined;
    };
    const { url, seen } = await scriptedServer(answer);
    const client = testClient(url, { connection: { waits: 1 } });
    const opened = Promise.withResolvers<void>();
    const stream = client.events.stream({}, { onPlace: () => opened.resolve() });
    const next = stream.next();
    await opened.promise;
    const { status } = await client.jobs.resume(JOB_ID).wait({ timeoutMs: 5_000 });
    expect(status).toBe('SUCCEEDED');
    expect(seen.at(-1)?.headers.prefer).toMatch(/^wait=/);
    await stream.return();
    await next;
  });
});
