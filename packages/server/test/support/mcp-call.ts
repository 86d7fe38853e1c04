import type { TestServer } from './start-server.ts';

export interface McpOptions {
  readonly env?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Every message of the answer, in order: one of JSON, all of a stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail when it is not there
  readonly messages: any[]; // oxlint-disable-line typescript/no-explicit-any
  /** The last message, which is the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail when it is not there
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
}

/** POST /mcp as a program would that knows nothing but JSON-RPC. A string body is sent as it is. */
export async function postMcp(
  server: Pick<TestServer, 'url' | 'headers'>,
  body: unknown,
  { env, accept, headers }: McpOptions = {},
): Promise<McpAnswer> {
  const answer = await fetch(new URL('/mcp', server.url), {
    method: 'POST',
    headers: {
      ...server.headers(env),
      'content-type': 'application/json',
      accept: accept ?? 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const messages = isStream ? eventsOf(text) : text === '' ? [] : [JSON.parse(text)];
  return { status: answer.status, headers: answer.headers, messages, body: messages.at(-1) };
}

/** tools/call; answers what `postMcp` does. */
export function callTool(
  server: Pick<TestServer, 'url' | 'headers'>,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: McpOptions = {},
): Promise<McpAnswer> {
  return postMcp(server, toolCall(name, args), options);
}

export function toolCall(name: string, args: Readonly<Record<string, unknown>> = {}, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

function eventsOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
