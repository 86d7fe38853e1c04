import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import { type RunningHttp, serveHttp } from '../src/serve-http.ts';
import { bridgeTo } from './support/bridge.ts';

const TOKEN = 'token-of-the-test-host';
const authorization = `Bearer ${TOKEN}`;
const BOTH = 'application/json, text/event-stream';
const META = 'io.modelcontextprotocol';
const MODERN_META = {
  [`${META}/protocolVersion`]: '2026-07-28',
  [`${META}/clientInfo`]: { name: 'raw', version: '1' },
  [`${META}/clientCapabilities`]: {},
};

let server: TestServer;
let http: RunningHttp;

beforeAll(async () => {
  server = await startTestServer({ links: true });
  http = await serveHttp(await bridgeTo(server), { listen: '127.0.0.1:0', door: { token: TOKEN } });
});
afterAll(async () => {
  await http.close();
  await server[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Not `fetch`: it sets Host and Accept as it likes. */
function knock(
  headers: Readonly<Record<string, string | string[]>>,
  body: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' },
  path = '/mcp',
  method = 'POST',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { 'content-type': 'application/json', ...headers } };
    const call = request(new URL(path, http.url), options, (answer) => {
      const { statusCode: status = 0, headers: had } = answer;
      const type = had['content-type'] ?? '';
      text(answer).then((body) => resolve({ status, type, text: body }), reject);
    });
    call.once('error', reject);
    call.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

describe('the HTTP door', () => {
  it('opens to the token alone', async () => {
    expect((await knock({})).status).toBe(401);
    expect((await knock({ authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await knock({ authorization: TOKEN })).status).toBe(401);
    expect((await knock({ authorization })).status).toBe(200);
    expect((await knock({ authorization: `bearer ${TOKEN}` })).status).toBe(200);
    expect((await knock({ authorization }, undefined, '/other')).status).toBe(404);
  });

  it('does not choose one of two tokens, of which a proxy before it may have checked the other', async () => {
    expect((await knock({ authorization: [authorization, 'Bearer other'] })).status).toBe(401);
  });

  it.each(['GET', 'DELETE', 'PUT'])(
    'answers %s with 405 at once, whatever it accepts',
    async (method) => {
      for (const accept of ['*/*', 'application/json', 'text/event-stream']) {
        const { status } = await knock({ authorization, accept }, '', '/mcp', method);
        expect(status, accept).toBe(405);
      }
    },
  );

  it.each([
    ['localhost:80', 200],
    ['127.0.0.1', 200],
    ['[::1]:4020', 200],
    ['evil.example', 403],
    ['127.0.0.1.evil.example:80', 403],
    ['localhost.evil.example', 403],
  ])('knows itself by its own names: Host %s gives %i', async (host, status) => {
    expect((await knock({ authorization, host })).status).toBe(status);
  });

  it.each([
    ['http://localhost:3000', 200],
    ['http://127.0.0.1:5173', 200],
    ['https://evil.example', 403],
    ['http://localhost.evil.example', 403],
    ['null', 403],
  ])('stays shut to pages of other sites: Origin %s gives %i', async (origin, status) => {
    expect((await knock({ authorization, origin })).status).toBe(status);
  });

  it('reveals neither sessions nor tools to a caller without the token', async () => {
    const { status, text } = await knock({}, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(status).toBe(401);
    expect(text).not.toContain('bank');
  });

  it('is not opened with a token that can be guessed, or at no address', async () => {
    const bridge = await bridgeTo(server);
    await expect(
      serveHttp(bridge, { listen: '127.0.0.1:0', door: { token: 'short' } }),
    ).rejects.toThrow('16');
    await expect(serveHttp(bridge, { listen: 'nowhere', door: { token: TOKEN } })).rejects.toThrow(
      'host:port',
    );
  });
});

describe.each(['2025-11-25', '2026-07-28'])('Accept, in %s', (revision) => {
  const isModern = revision === '2026-07-28';
  const call = (progress: boolean) => ({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: {
      name: 'bank_a_balance',
      arguments: { request_id: `accept-${revision}` },
      _meta: { ...(isModern ? MODERN_META : {}), ...(progress ? { progressToken: 'p' } : {}) },
    },
  });
  const headers = (accept?: string) => ({
    authorization,
    ...(accept === undefined ? {} : { accept }),
    ...(isModern
      ? {
          'mcp-protocol-version': revision,
          'mcp-method': 'tools/call',
          'mcp-name': 'bank_a_balance',
        }
      : {}),
  });

  it.each([['application/json'], ['*/*'], [undefined]])(
    '%s: JSON, also with progress',
    async (accept) => {
      for (const progress of [false, true]) {
        const { status, type, text } = await knock(headers(accept), call(progress));
        expect({ status, type }).toMatchObject({
          status: 200,
          type: expect.stringMatching(/^application\/json/),
        });
        expect(JSON.parse(text)).toMatchObject({
          id: 7,
          result: { structuredContent: { status: 'SUCCEEDED' } },
        });
      }
    },
  );

  it('text/event-stream: a stream, its last event the answer', async () => {
    const { status, type, text } = await knock(headers('text/event-stream'), call(true));
    expect({ status, type }).toMatchObject({
      status: 200,
      type: expect.stringMatching(/^text\/event-stream/),
    });
    const events = text.split('\n').filter((line) => line.startsWith('data: {'));
    const messages = events.map((line) => JSON.parse(line.slice('data: '.length)));
    expect(messages[0]).toMatchObject({ method: 'notifications/progress' });
    expect(messages.at(-1)).toMatchObject({ id: 7, result: { isError: false } });
  });

  it('both: the answer in either form', async () => {
    const { status, text } = await knock(headers(BOTH), call(true));
    expect(status).toBe(200);
    expect(text).toContain('SUCCEEDED');
  });
});

describe.each(['2025-11-25', '2026-07-28'])('params of the wrong shape, in %s', (revision) => {
  it.each([
    ['tools/list', { cursor: 1 }],
    ['tools/call', { name: 1 }],
    ['prompts/get', { name: 1 }],
    ['resources/read', {}],
    ['tasks/get', {}],
  ])('%s with %j is -32602, not a fault of the bridge', async (method, given) => {
    const isModern = revision === '2026-07-28';
    const params = isModern ? { ...given, _meta: MODERN_META } : given;
    const headers = isModern ? { 'mcp-protocol-version': revision, 'mcp-method': method } : {};
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const { text } = await knock({ authorization, ...headers }, body);
    expect(JSON.parse(text), text).toMatchObject({ id: 1, error: { code: -32_602 } });
  });
});

describe('what is not JSON-RPC', () => {
  it.each([
    ['{', -32_700],
    ['[]', -32_600],
    ['"text"', -32_600],
  ])('%s is refused with 400 and a null id', async (body, code) => {
    const { status, text } = await knock({ authorization, accept: BOTH }, body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ id: null, error: { code } });
  });
});
