import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import { type RunningHttp, serveHttp } from '../src/serve-http.ts';
import { bridgeTo } from './support/bridge.ts';

const TOKEN = 'token-of-the-test-host';
const META = 'io.modelcontextprotocol';

let server: TestServer;
let http: RunningHttp;

beforeAll(async () => {
  server = await startTestServer({ env: { SANDBOX_DELAY_MS: '300' }, links: true });
  http = await serveHttp(await bridgeTo(server), { listen: '127.0.0.1:0', door: { token: TOKEN } });
});
afterAll(async () => {
  await http.close();
  await server[Symbol.asyncDispose]();
});

/** The wire of 2026-07-28 as it is: no client of the SDK, which would read over what is wrong. */
async function post(method: string, params: Record<string, unknown>, extensions: object) {
  const answer = await fetch(http.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...nameHeader(params),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          [`${META}/protocolVersion`]: '2026-07-28',
          [`${META}/clientInfo`]: { name: 'raw', version: '1' },
          [`${META}/clientCapabilities`]: { extensions },
        },
      },
    }),
  });
  return answer.json();
}

function nameHeader({ name, taskId }: Record<string, unknown>): Record<string, string> {
  const named = name ?? taskId;
  return typeof named === 'string' ? { 'mcp-name': named } : {};
}

const AT_ONCE = { wait_seconds: 0 };
const TASKS = { [`${META}/tasks`]: {} };

describe('the tasks extension', () => {
  it('is declared, and used only for requests that declare it', async () => {
    const discovered = await post('server/discover', {}, {});
    expect(discovered.result.capabilities.extensions).toEqual(TASKS);
    const plain = await post('tools/call', { name: 'bank_a_balance', arguments: {} }, {});
    expect(plain.result).toMatchObject({ structuredContent: { status: 'SUCCEEDED' } });
  });

  it('answers with the job as a task, and its result by tasks/get', async () => {
    const call = { name: 'bank_b_transactions', arguments: { request_id: 'task-1', ...AT_ONCE } };
    const { result } = await post('tools/call', call, TASKS);
    expect(result).toMatchObject({
      resultType: 'task',
      status: 'working',
      taskId: expect.stringMatching(/^job_/),
      ttlMs: expect.any(Number),
      pollIntervalMs: expect.any(Number),
    });
    expect(result.structuredContent).toBeUndefined();
    // Asked at once, and answered when there is news: no host has to ask again and again.
    const done = await post('tasks/get', { taskId: result.taskId }, TASKS);
    expect(done.result).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { isError: false, structuredContent: { job_id: result.taskId } },
    });
  });

  it('answers a job that ends within two seconds as it is', async () => {
    const call = { name: 'bank_b_transactions', arguments: { request_id: 'task-3' } };
    const { result } = await post('tools/call', call, TASKS);
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'SUCCEEDED' },
    });
  });

  it('cancels the job with the task, and knows no other tasks', async () => {
    const call = { name: 'bank_c_transactions', arguments: { request_id: 'task-2', ...AT_ONCE } };
    const { result } = await post('tools/call', call, TASKS);
    const canceled = await post('tasks/cancel', { taskId: result.taskId }, TASKS);
    expect(canceled.error).toBeUndefined();
    expect((await server.ended(result.taskId)).status).toBe('CANCELED');
    const after = await post('tasks/get', { taskId: result.taskId }, TASKS);
    expect(after.result.status).toBe('cancelled');
    for (const taskId of ['job_01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'job_']) {
      for (const method of ['tasks/get', 'tasks/cancel']) {
        const unknown = await post(method, { taskId }, TASKS);
        expect(unknown.error, `${method} ${taskId}`).toMatchObject({
          code: -32_602,
          message: expect.stringContaining('Unknown task'),
        });
      }
    }
  });
});
