import type { IncomingHttpHeaders } from 'node:http';
import type { LoginOrigin } from '../principals/console-sessions.ts';

/** Where a request that opens a session comes from. */
export function loginOrigin(request: {
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}): LoginOrigin {
  return { address: request.address, userAgent: request.headers['user-agent'] ?? null };
}
