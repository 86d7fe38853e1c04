import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';

/** Tells a caller how far its call is. */
export interface Progress {
  /** `done` of `total`; said only when it grew, as the protocol asks. */
  report(done: number, total: number, message: string): Promise<void>;
}

/**
 * Progress of one request. A caller that follows the Model Context Protocol gets it when it sent a token;
 * one that only speaks JSON-RPC gets it under the id of its request (spec L404).
 */
export function progressOf({ mcpReq, http }: ServerContext): Progress {
  const knowsProtocol = http?.req?.headers.has('mcp-protocol-version') ?? false;
  const progressToken: ProgressToken | undefined =
    mcpReq._meta?.progressToken ?? (knowsProtocol ? undefined : mcpReq.id);
  let last = -1;
  return {
    async report(progress, total, message) {
      if (progressToken === undefined || progress <= last) return;
      last = progress;
      const params = { progressToken, progress, total, message };
      await mcpReq.notify({ method: 'notifications/progress', params });
    },
  };
}
