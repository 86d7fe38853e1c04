import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Bridge } from './bridge.ts';
import { createServerFactory } from './server/bridge-server.ts';
import type { ConnectionChanges } from './server/changes.ts';
import { guardStdout } from './stdout-guard.ts';

/** Serves the host that started this process, until it closes the pipe. */
export function serveBridgeOverStdio(bridge: Bridge): { close(): Promise<void> } {
  const transport = new StdioServerTransport(process.stdin, guardStdout());
  let changes: ConnectionChanges | undefined;
  const createServer = createServerFactory(bridge, (of) => {
    changes = of;
  });
  const handle = serveStdio(createServer, {
    transport,
    onerror: (error) => bridge.log.warn('message failed', { error: error.name }),
  });
  // The library answers this request itself without a callback: it alone says that the host wants to hear of jobs.
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    deliver?.(message);
    if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') changes?.listen();
  };
  return handle;
}
