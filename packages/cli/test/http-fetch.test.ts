import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Changgu, type ClientOptions } from '@changgu/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cliProgram } from '../../../scripts/programs.ts';
import { httpFetch } from '../src/http-fetch.ts';

async function listen(answer: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

function clientOf(url: string, options: ClientOptions = {}): Changgu {
  return new Changgu({
    baseUrl: url,
    clientId: 'cli_test',
    clientSecret: 'secret',
    fetch: httpFetch,
    maxRetries: 0,
    ...options,
  });
}

const health = (client: Changgu) => client.request({ method: 'GET', path: '/health' });

describe('requests of the command line, over node:http', () => {
  it('send what the SDK gives them, and read what comes back', async () => {
    const seen: unknown[] = [];
    const { url } = await listen((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        seen.push({ method: request.method, type: request.headers['content-type'], body });
        response.writeHead(200, { 'content-type': 'application/json' });
        for (const piece of ['{"a":"', '한', '글', '"}']) response.write(Buffer.from(piece));
        response.end();
      });
    });
    const answer = await clientOf(url).request({ method: 'POST', path: '/x', body: { b: '은행' } });
    expect(answer).toEqual({ status: 200, body: { a: '한글' } });
    expect(seen).toEqual([{ method: 'POST', type: 'application/json', body: '{"b":"은행"}' }]);
  });

  it('refuse a redirect and contact no other host', async () => {
    let asked = 0;
    const other = await listen((_, response) => {
      asked += 1;
      response.end('{}');
    });
    const { url } = await listen((_, response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    await expect(health(clientOf(url))).rejects.toMatchObject({ name: 'RedirectRefusedError' });
    expect(asked).toBe(0);
  });

  it('end with the clocks: no answer, and a body that stops', async () => {
    const silent = await listen(() => {});
    const attempt = health(clientOf(silent.url, { attemptTimeoutMs: 50 }));
    await expect(attempt).rejects.toMatchObject({ name: 'TimeoutError', clock: 'attempt' });
    const stuck = await listen((_, response) => void response.writeHead(200).write('{'));
    const stall = health(clientOf(stuck.url, { stallTimeoutMs: 50 }));
    await expect(stall).rejects.toMatchObject({ name: 'TimeoutError', clock: 'stall' });
  });

  it('end with the caller, also between headers and body', async () => {
    const stop = new AbortController();
    const { server, url } = await listen((_, response) => {
      response.writeHead(200).flushHeaders();
      setImmediate(() => stop.abort());
    });
    const closed = new Promise<void>((resolve) => {
      server.once('connection', (socket) => socket.on('error', () => {}).once('close', resolve));
    });
    const call = clientOf(url).request({ method: 'GET', path: '/' }, { signal: stop.signal });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await closed;
  });

  it('tell a connection that broke from one that was never made', async () => {
    const broken = await listen((_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('{', () => response.destroy());
    });
    await expect(health(clientOf(broken.url))).rejects.toMatchObject({
      name: 'ConnectionError',
      neverSent: false,
    });
    const { server, url } = await listen(() => {});
    server.close();
    await expect(health(clientOf(url))).rejects.toMatchObject({
      name: 'ConnectionError',
      neverSent: true,
      systemCode: 'ECONNREFUSED',
    });
  });

  it('do not keep the process: it ends while the service keeps the connection open', async () => {
    const { server, url } = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"items":[],"next_cursor":null}');
    });
    server.keepAliveTimeout = 0;
    const child = spawn(process.execPath, [...cliProgram(), 'jobs', 'list', '--json'], {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        CHANGGU_BASE_URL: url,
        CHANGGU_CLIENT_ID: 'cli_test',
        CHANGGU_CLIENT_SECRET: 'secret',
        HOME: '/nonexistent',
      },
    });
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  }, 20_000);
});
