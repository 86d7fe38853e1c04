import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postMcp, toolCall } from '../support/mcp-call.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const LIST = { jsonrpc: '2.0', id: 'a', method: 'tools/list' };
const TOOL = 'bank_a__accounts__list';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ links: true, env: { RATE_LIMIT: '100000/60' } });
});
afterAll(() => server[Symbol.asyncDispose]());

/** A request of 2026-07-28: it describes itself completely. */
function modern(method: string, params: Record<string, unknown> = {}) {
  const version = '2026-07-28';
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  return {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          ...(params._meta as object | undefined),
        },
      },
    },
    headers: { 'mcp-protocol-version': version, 'mcp-method': method, ...name },
  };
}

describe('the envelope (R115)', () => {
  const unreadable = [
    ['{', -32700],
    ['', -32700],
    ['"text"', -32600],
    ['[]', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
  ] as const;

  it.each(unreadable)('of %s is an error in Korean', async (text, code) => {
    const { status, body } = await postMcp(server, text);
    expect(status).toBe(400);
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(body.error.message).toMatch(/\p{Script=Hangul}/u);
    expect(Object.keys(body).sort()).toEqual(['error', 'id', 'jsonrpc']);
    const hasId = /"id":1,/.test(text);
    expect(body.id).toBe(hasId ? 1 : null);
  });

  it('has exactly one of result and error, and the id as it was sent', async () => {
    for (const id of [0, 7, 'seven']) {
      const good = await postMcp(server, { ...LIST, id });
      expect(Object.keys(good.body).sort()).toEqual(['id', 'jsonrpc', 'result']);
      expect(good.body.id).toBe(id);
      const bad = await postMcp(server, { ...LIST, id, method: 'no/such' });
      expect(Object.keys(bad.body).sort()).toEqual(['error', 'id', 'jsonrpc']);
      expect(bad.body).toMatchObject({ id, error: { code: -32601 } });
      expect(bad.body.error.message).toBe('지원하지 않는 메서드입니다.');
      const unknown = await postMcp(server, toolCall('no_such_tool'));
      expect(Object.hasOwn(unknown.body.error, 'data')).toBe(false);
    }
  });

  it.each([
    ['initialize', {}],
    ['resources/read', {}],
    ['prompts/get', { name: 1 }],
    ['tools/list', { cursor: 1 }],
  ])('of %s with params of the wrong shape is -32602 (D134)', async (method, params) => {
    const { status, body } = await postMcp(server, { ...LIST, method, params });
    expect([status, body.error?.code]).toEqual([200, -32602]);
    expect(body.error.message).toBe('인수가 올바르지 않습니다.');
  });

  it('is English for those who want it', async () => {
    const headers = { 'accept-language': 'en' };
    const { body } = await postMcp(server, { ...LIST, method: 'no/such' }, { headers });
    expect(body.error.message).toBe('Method not found');
    const broken = await postMcp(server, '{', { headers });
    expect(broken.body.error).toEqual({ code: -32700, message: 'Parse error' });
  });
});

it('documents both forms of its answer', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  const { content } = body.paths['/mcp'].post.responses['200'];
  expect(Object.keys(content)).toEqual(['application/json', 'text/event-stream']);
});

describe('what comes before JSON-RPC is HTTP', () => {
  it('credentials, environment, media type (D124)', async () => {
    const refused = async (headers: Record<string, string>) => {
      const { status, body } = await postMcp(server, LIST, { headers });
      return [status, body.error.code];
    };
    expect(await refused({ authorization: 'Basic eDp5' })).toEqual([
      401,
      'AUTH_INVALID_CREDENTIALS',
    ]);
    expect(await refused({ 'x-env-scope': 'moon' })).toEqual([400, 'VALIDATION_INVALID_FIELD']);
    expect(await refused({ 'content-type': 'text/plain' })).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    const get = await server.call('GET', '/mcp');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('a toolset that does not exist is refused by its name, with those that do', async () => {
    const headers = { 'x-mcp-toolsets': 'bank,taxes' };
    const { status, body } = await postMcp(server, LIST, { headers });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      id: LIST.id,
      error: { code: -32600, data: { fields: [{ loc: ['header', 'X-Mcp-Toolsets'] }] } },
    });
    expect(body.error.message).toMatch(/taxes은.* bank, tax, employment, insurance, other, all/);
  });

  it('an Idempotency-Key that is too long is refused by its name, with the id of the call (R115)', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(129) };
    const { status, body } = await postMcp(server, LIST, { headers });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      id: LIST.id,
      error: { code: -32600, data: { fields: [{ loc: ['header', 'Idempotency-Key'] }] } },
    });
  });

  it('a key that is not for the environment is refused by the tool (D48)', async () => {
    const { body } = await postMcp(server, toolCall(TOOL), { env: 'production' });
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'POLICY_ENV_NOT_ALLOWED' } },
    });
  });

  it('too many calls are an error of the call, with its id (D134)', async () => {
    await using narrow = await startTestServer({ env: { RATE_LIMIT: '1/60' } });
    expect((await postMcp(narrow, LIST)).body.result.tools.length).toBeGreaterThan(0);
    const { status, headers, body } = await postMcp(narrow, LIST);
    expect(status).toBe(200);
    expect(headers.get('ratelimit')).toMatch(/r=0/);
    expect(body).toMatchObject({
      id: 'a',
      error: { code: -32001, data: { error_code: 'RATE_LIMITED', safe_to_retry: true } },
    });
  });

  it.each([
    { era: '2025-11-25', request: { body: toolCall(TOOL), headers: {} } },
    { era: '2026-07-28', request: modern('tools/call', { name: TOOL, arguments: {} }) },
  ])(
    'too many tool calls are a result that says when to call again, $era (D169)',
    async ({ request }) => {
      await using narrow = await startTestServer({ env: { RATE_LIMIT: '1/60' } });
      await postMcp(narrow, LIST);
      for (const accept of ['application/json', 'text/event-stream']) {
        const { status, body } = await postMcp(narrow, request.body, {
          accept,
          headers: request.headers,
        });
        expect([status, body.id, body.error]).toEqual([200, 1, undefined]);
        const { isError, content, structuredContent } = body.result;
        const { error } = structuredContent;
        expect([isError, structuredContent.status, error.code]).toEqual([
          true,
          'REFUSED',
          'RATE_LIMITED',
        ]);
        expect(error.retry_after_seconds).toBeGreaterThan(0);
        expect(error.retry_after_seconds).toBeLessThanOrEqual(60);
        expect(content[0].text).toContain(`${error.retry_after_seconds}초 뒤에`);
      }
    },
  );

  it('too many calls in a batch are answered each in its own way (D169)', async () => {
    await using narrow = await startTestServer({ env: { RATE_LIMIT: '1/60' } });
    const { body } = await postMcp(narrow, [toolCall(TOOL), { ...LIST, id: 2 }]);
    expect(body).toMatchObject([
      { id: 1, result: { isError: true, structuredContent: { error: { code: 'RATE_LIMITED' } } } },
      { id: 2, error: { code: -32001, data: { error_code: 'RATE_LIMITED' } } },
    ]);
  });
});

describe('an answer', () => {
  const forms = [
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
  ] as const;

  it.each(forms)('for Accept: %s is %s', async (accept, contentType) => {
    const { status, headers, body } = await postMcp(server, LIST, { accept });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(new RegExp(`^${contentType}`));
    expect(body.result.tools.length).toBe(44);
  });

  it.each(forms)('for Accept: %s of the newest revision is a result too', async (accept) => {
    const { body: message, headers } = modern('tools/call', { name: TOOL, arguments: {} });
    const { status, body } = await postMcp(server, message, { accept, headers });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      isError: false,
      structuredContent: { status: 'SUCCEEDED' },
    });
  });

  it('202 without a body to notifications and answers', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const body of [
      notification,
      [notification, notification],
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const { status, messages } = await postMcp(server, body);
      expect([status, messages]).toEqual([202, []]);
    }
  });

  it('to a batch is a batch', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const one = await postMcp(server, [ping(1)]);
    expect(one.body).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const mixed = [ping(1), 5, { jsonrpc: '2.0', method: 'notifications/x' }, ping(2)];
    const { body } = await postMcp(server, mixed);
    expect(
      body.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code]),
    ).toEqual([
      [1, undefined],
      [null, -32600],
      [2, undefined],
    ]);
    const streamed = await postMcp(server, [ping(1), ping(2)], { accept: 'text/event-stream' });
    expect(streamed.messages.map(({ id }) => id)).toEqual([1, 2]);
    expect((await postMcp(server, Array(21).fill(ping(1)))).status).toBe(400);
  });
});

describe('both eras', () => {
  it('the older begins with initialize, and needs it not', async () => {
    const { body } = await postMcp(server, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    });
    expect(body.result).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'changgu' },
      instructions: expect.stringContaining('request_id'),
    });
    const headers = { 'mcp-protocol-version': '2025-06-18' };
    expect((await postMcp(server, LIST, { headers })).body.result.tools).toBeInstanceOf(Array);
  });

  it('the newest begins with server/discover and is cached by its reader', async () => {
    const discover = modern('server/discover');
    const { body } = await postMcp(server, discover.body, discover);
    expect(body.result).toMatchObject({
      supportedVersions: expect.arrayContaining(['2026-07-28']),
      capabilities: { tools: {} },
    });
    const list = modern('tools/list');
    const listed = await postMcp(server, list.body, list);
    expect(listed.body.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
  });

  it('the newest refuses headers that contradict the body', async () => {
    const call = modern('tools/call', { name: TOOL, arguments: {} });
    const headers = { ...call.headers, 'mcp-name': 'other' };
    const { status, body } = await postMcp(server, call.body, { headers });
    expect([status, body.id, body.error.code]).toEqual([400, 1, -32020]);
    expect(body.error.message).toMatch(/\p{Script=Hangul}/u);
  });

  it('sends progress only to callers with a token, and never in JSON', async () => {
    const _meta = { progressToken: 'p' };
    const call = modern('tools/call', { name: TOOL, arguments: {}, _meta });
    const stream = await postMcp(server, call.body, { ...call, accept: 'text/event-stream' });
    expect(stream.messages[0]).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 0, message: expect.stringContaining('job_id: job_') },
    });
    const json = await postMcp(server, call.body, call);
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    const silent = modern('tools/call', { name: TOOL, arguments: {} });
    const both = { ...silent, accept: 'application/json, text/event-stream' };
    expect((await postMcp(server, silent.body, both)).messages).toHaveLength(1);
  });
});

describe('a wait that is cut short', () => {
  it('by the caller that goes away ends the wait, never the job', async () => {
    await using slow = await startTestServer({ links: true, env: UNENDING });
    const jobId = await leaveAfterFirstProgress(slow);
    const { body } = await slow.call('GET', `/v1/jobs/${jobId}`);
    expect(body.status).toMatch(/^(QUEUED|RUNNING)$/);
  });

  it('by the server that drains is an answer with the job in it', async () => {
    await using slow = await startTestServer({ links: true, env: UNENDING });
    const answer = await fetch(new URL('/mcp', slow.url), {
      method: 'POST',
      headers: { ...slow.headers(), ...STREAM },
      body: JSON.stringify(toolCall(TOOL)),
    });
    const chunks: string[] = [];
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      if (chunks.length === 0) void slow.close();
      chunks.push(chunk);
    }
    const last = chunks.join('').trim().split('data: ').at(-1) ?? '';
    expect(JSON.parse(last).result).toMatchObject({
      isError: false,
      structuredContent: { result_tool_call: { name: 'changgu__job__result' } },
    });
  });
});

/** Jobs that end after the test, and a caller with patience. */
const UNENDING = { SANDBOX_DELAY_MS: '600000', SHUTDOWN_SECONDS: '0', MCP_WAIT_SECONDS: '280' };
const STREAM = { accept: 'text/event-stream', 'content-type': 'application/json' };

/** Calls a tool, reads the job's id from the first event, and hangs up. */
function leaveAfterFirstProgress({ url, headers }: TestServer): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      new URL('/mcp', url),
      { method: 'POST', headers: { ...headers(), ...STREAM } },
      (answer) => {
        answer.on('data', (chunk: Buffer) => {
          const jobId = /job_\w{26}/.exec(chunk.toString())?.[0];
          if (jobId === undefined) return;
          call.destroy();
          resolve(jobId);
        });
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify(toolCall(TOOL)));
  });
}
