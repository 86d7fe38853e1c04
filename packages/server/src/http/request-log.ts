import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalKey } from '../rules/principals/principal.ts';

/** Asked too often to be worth a line each. */
const QUIET = new Set(['/health', '/health/live', '/health/ready', '/metrics']);

/** One line per request: no header, no body, and no query, for a download's query is its key (D67). */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url;
  const { statusCode } = reply;
  if (route !== undefined && QUIET.has(route) && statusCode < 500) return;
  const { call } = request;
  const line = {
    trace_id: call.correlationId,
    method: request.method,
    path: request.url.split('?', 1)[0],
    route,
    status: statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    principal: call.principal ? principalKey(call.principal) : undefined,
    env_scope: call.admission?.envScope ?? undefined,
  };
  if (statusCode >= 500) request.log.error(line, 'request failed');
  else request.log.info(line, 'request');
}

/** What a caller is not told about a 5xx, for the operator. */
export function logFailure(request: FastifyRequest, error: Error): void {
  request.log.error({ trace_id: request.call.correlationId, err: error }, 'unexpected error');
}
