import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';

/** Reports a call's progress to its caller. */
export interface Progress {
  /** `done` of `total`; sent only when it grew, as the protocol requires. */
  report(done: number, total: number, message: string): Promise<void>;
}

/**
 * Progress of one request. A caller that follows the Model Context Protocol gets it if it sent a token;
 * one that only uses JSON-RPC gets it under its request's id.
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
