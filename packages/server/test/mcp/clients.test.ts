import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const HISTORY = 'bank_c__accounts__transaction_history__search';
const INFO = { name: 'host', version: '1.0.0' };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ links: true });
});
afterAll(() => server[Symbol.asyncDispose]());

interface Answer {
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

interface Options {
  readonly onprogress: (progress: { readonly message?: string | undefined }) => void;
}

/** As a host that knows only the official client of its time. */
interface Host {
  listTools(): Promise<readonly { readonly outputSchema?: unknown }[]>;
  callTool(name: string, args: Record<string, unknown>, options?: Options): Promise<Answer>;
  close(): Promise<void>;
}

async function olderHost(): Promise<Host> {
  const client = new OlderClient(INFO);
  const transport = new OlderTransport(new URL('/mcp', server.url), {
    requestInit: { headers: server.headers() },
  });
  // Its own types were written for compilers that do not tell undefined from absent.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    listTools: async () => (await client.listTools()).tools,
    async callTool(name, args, options) {
      const answer = await client.callTool({ name, arguments: args }, undefined, options);
      return { structuredContent: answer.structuredContent, isError: answer.isError };
    },
    close: () => client.close(),
  };
}

async function newerHost(mode: 'legacy' | { pin: string }): Promise<Host> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
      requestInit: { headers: server.headers() },
    }),
  );
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args, options) => client.callTool({ name, arguments: args }, { ...options }),
    close: () => client.close(),
  };
}

describe.each([
  ['the official client 1.x', olderHost],
  ['the official client 2.x of 2025-11-25', () => newerHost('legacy')],
  ['the official client 2.x of 2026-07-28', () => newerHost({ pin: '2026-07-28' })],
])('%s', (_name, connect) => {
  it('lists the tools', async () => {
    const host = await connect();
    const tools = await host.listTools();
    expect(tools.length).toBe(44);
    await host.close();
  });

  it('takes the results for valid, and shows progress with the jobs in it', async () => {
    const host = await connect();
    await host.listTools();
    const messages: (string | undefined)[] = [];
    const onprogress: Options['onprogress'] = ({ message }) => void messages.push(message);
    const all = await host.callTool(HISTORY, { all_accounts: true }, { onprogress });
    expect(all.isError).toBe(false);
    expect(all.structuredContent).toMatchObject({ summary: '계좌 4개: 성공 4' });
    expect(messages[0]).toMatch(/^계좌 4개 중 [0-3]개 완료 \(job_id: job_/);
    expect(messages.at(-1)).toMatch(/^계좌 4개 중 4개 완료 \(\d+\*+\d+ 성공\)$/);
    const one = await host.callTool('bank_a__accounts__list', {});
    expect(one.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
    await host.close();
  });

  it('meets a refusal as an error with its code', async () => {
    const host = await connect();
    const refused = host.callTool('bank_a__accounts__list', { all_accounts: true });
    await expect(refused).rejects.toMatchObject({ code: -32602 });
    await host.close();
  });
});
