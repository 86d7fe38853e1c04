import type { ServerContext } from '@modelcontextprotocol/server';

/** Tells a caller how far its call is, of 100; strictly increasing, and nothing to a caller that sent no token. */
export interface Progress {
  report(percent: number, message: string): void;
}

/** Smallest step: a message without visible progress still has to have a larger number. */
const STEP = 0.01;
/** Only the answer is the end. */
const MOST = 99.99;

export function progressOf({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let last = -STEP;
  return {
    report(percent, message) {
      if (progressToken === undefined) return;
      const next = Math.min(Math.max(percent, Math.round((last + STEP) * 100) / 100), MOST);
      if (next <= last) return;
      last = next;
      const params = { progressToken, progress: last, total: 100, message };
      // A caller that is gone gets no progress; the answer fails where it has to.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
