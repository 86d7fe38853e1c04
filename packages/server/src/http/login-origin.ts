import type { IncomingHttpHeaders } from 'node:http';
import type { LoginOrigin } from '../principals/console-sessions.ts';
import { plainUserAgent } from './origin.ts';

/** Where a request that opens a session comes from. */
export function loginOrigin(request: {
  readonly address: string;
  readonly traceId: string;
  readonly headers: IncomingHttpHeaders;
}): LoginOrigin {
  const { address, traceId, headers } = request;
  return { address, traceId, userAgent: plainUserAgent(headers) };
}
