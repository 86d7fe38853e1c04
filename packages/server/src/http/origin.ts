import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../rules/principals/actor.ts';

const MAX_USER_AGENT = 200;

/** Where a request comes from, for the audit log. */
export function originOf({ call, ip, headers }: FastifyRequest): RequestOrigin {
  return { traceId: call.traceId, address: ip, userAgent: plainUserAgent(headers) };
}

/** Control characters would affect logs, terminals and databases. */
function plainUserAgent({ 'user-agent': text }: IncomingHttpHeaders): string | null {
  return text?.slice(0, MAX_USER_AGENT).replaceAll(/[^\x20-\x7e]/g, '?') ?? null;
}
