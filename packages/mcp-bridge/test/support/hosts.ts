import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { bridgeProgram } from '../../../../scripts/programs.ts';

const INFO = { name: 'test-host', version: '1.0.0' };

const { NODE_COMPILE_CACHE } = process.env;
const COMPILE_CACHE = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

export type Era = '2026-07-28 (v2 client)' | '2025-11-25 (v2 client)' | '2025-11-25 (v1 client)';
export const ERAS: readonly Era[] = [
  '2026-07-28 (v2 client)',
  '2025-11-25 (v2 client)',
  '2025-11-25 (v1 client)',
];

/** Where the bridge is: over HTTP, or as a process with this environment and these arguments. */
export type Place =
  | { readonly url: string; readonly token: string }
  | { readonly env: Readonly<Record<string, string>>; readonly args?: readonly string[] };

export interface HostOptions {
  /** What its person says to a form; absent: the host cannot ask. */
  readonly answer?: (message: string) => 'accept' | 'decline';
}

export interface HostCall {
  readonly onProgress?: (progress: Reported) => void;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface Reported {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail when it is not there
type Json = any; // oxlint-disable-line typescript/no-explicit-any

/** An official client as a host has it: nothing of the bridge is known to it. */
export interface Host {
  readonly tools: readonly Json[];
  readonly instructions: string | undefined;
  /** The structured content, which is held against the text. */
  call(name: string, args?: Record<string, unknown>, options?: HostCall): Promise<Json>;
  /** The whole result. */
  raw(name: string, args?: Record<string, unknown>, options?: HostCall): Promise<Json>;
  close(): Promise<void>;
}

export async function connectHost(
  era: Era,
  place: Place,
  options: HostOptions = {},
): Promise<Host> {
  return era === '2025-11-25 (v1 client)' ? oldHost(place, options) : host(era, place, options);
}

async function host(era: Era, place: Place, { answer }: HostOptions): Promise<Host> {
  const client = new Client(INFO, {
    capabilities: answer ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: era.startsWith('2026') ? { pin: '2026-07-28' } : 'legacy' },
  });
  if (answer) {
    client.setRequestHandler('elicitation/create', ({ params }) => reply(answer(params.message)));
  }
  await client.connect(
    'url' in place
      ? new StreamableHTTPClientTransport(new URL(place.url), { requestInit: bearer(place.token) })
      : new StdioClientTransport(command(place)),
  );
  return {
    tools: (await client.listTools()).tools,
    instructions: client.getInstructions(),
    ...calls((name, args, call) =>
      client.callTool(
        { name, arguments: args },
        {
          ...(call.signal ? { signal: call.signal } : {}),
          ...(call.onProgress ? { onprogress: call.onProgress } : {}),
          ...(call.timeoutMs ? { timeout: call.timeoutMs } : {}),
        },
      ),
    ),
    close: () => client.close(),
  };
}

async function oldHost(place: Place, { answer }: HostOptions): Promise<Host> {
  const client = new OldClient(INFO, { capabilities: answer ? { elicitation: { form: {} } } : {} });
  if (answer) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => reply(answer(params.message)));
  }
  await client.connect(
    'url' in place
      ? // Its own types are not written for exactOptionalPropertyTypes.
        (new OldHttpClientTransport(new URL(place.url), {
          requestInit: bearer(place.token),
        }) as Parameters<OldClient['connect']>[0])
      : new OldStdioClientTransport(command(place)),
  );
  return {
    tools: (await client.listTools()).tools,
    instructions: client.getInstructions(),
    ...calls((name, args, call) =>
      client.callTool({ name, arguments: args }, undefined, {
        ...(call.signal ? { signal: call.signal } : {}),
        ...(call.onProgress ? { onprogress: call.onProgress } : {}),
        ...(call.timeoutMs ? { timeout: call.timeoutMs } : {}),
      }),
    ),
    close: () => client.close(),
  };
}

type Send = (name: string, args: Record<string, unknown>, call: HostCall) => Promise<Json>;

function calls(raw: Send): Pick<Host, 'call' | 'raw'> {
  return {
    raw: (name, args = {}, call = {}) => raw(name, args, call),
    async call(name, args = {}, call = {}) {
      const { structuredContent, content } = await raw(name, args, call);
      const text = JSON.stringify(structuredContent);
      if (content[0].text !== text) throw new Error(`text and structure differ: ${text}`);
      return structuredContent;
    },
  };
}

function reply(action: 'accept' | 'decline') {
  return action === 'accept' ? { action, content: { agree: true } } : { action };
}

function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

function command({ env, args = [] }: Extract<Place, { env: unknown }>) {
  return {
    command: process.execPath,
    args: [...bridgeProgram(), ...args],
    // A transport hands on little of its environment; without this every start compiles the sources anew.
    env: { ...COMPILE_CACHE, ...env },
    stderr: 'ignore' as const,
  };
}
