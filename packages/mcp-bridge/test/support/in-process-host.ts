import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Bridge } from '../../src/bridge.ts';
import { createServerFactory } from '../../src/server/bridge-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail when it is not there
type Json = any; // oxlint-disable-line typescript/no-explicit-any

/** A host in this process, and every message that went between. */
export interface InProcessHost {
  readonly client: Client;
  /** Both directions, as JSON. */
  readonly messages: readonly string[];
  call(name: string, args?: Record<string, unknown>): Promise<Json>;
  /** Calls as `next` of an answer says. */
  follow(next: { tool: string; arguments: Record<string, unknown> }): Promise<Json>;
}

export async function inProcessHost(bridge: Bridge): Promise<InProcessHost> {
  const client = new Client({ name: 'test-host', version: '1.0.0' });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const messages: string[] = [];
  for (const side of [clientSide, serverSide]) {
    const send = side.send.bind(side);
    side.send = (message, options) => {
      messages.push(JSON.stringify(message));
      return send(message, options);
    };
  }
  await createServerFactory(bridge)().connect(serverSide);
  await client.connect(clientSide);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  return { client, messages, call, follow: (next) => call(next.tool, next.arguments) };
}
