import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Bridge } from './bridge.ts';
import { createServerFactory } from './server/bridge-server.ts';
import { guardStdout } from './stdout-guard.ts';

/** Serves the host that started this process, until it closes the pipe. */
export function serveBridgeOverStdio(bridge: Bridge): { close(): Promise<void> } {
  const transport = new StdioServerTransport(process.stdin, guardStdout());
  return serveStdio(createServerFactory(bridge), {
    transport,
    onerror: (error) => bridge.log.warn('message failed', { error: error.name }),
  });
}
