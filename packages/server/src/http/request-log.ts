import type { FastifyReply, FastifyRequest } from 'fastify';
import { faultOf } from '../failures/fault.ts';
import { principalKey } from '../rules/principals/principal.ts';
import type { ServiceError } from '../rules/service-error.ts';

/** Requested too often to be worth a line each. */
const QUIET = new Set(['/health', '/health/live', '/health/ready', '/metrics']);

/** The levels at which answers are not logged. */
const ONLY_FAILURES = new Set(['warn', 'error', 'fatal', 'silent']);

/** One line per request, without headers, body and query, because a download's query authorizes it. */
export function logRequest(
  request: FastifyRequest,
  { statusCode, elapsedTime }: Pick<FastifyReply, 'statusCode' | 'elapsedTime'>,
  route: string | undefined,
): void {
  if (route !== undefined && QUIET.has(route) && statusCode < 500) return;
  if (statusCode < 500 && ONLY_FAILURES.has(request.log.level)) return;
  const line = { ...lineOf(request, elapsedTime), route, status: statusCode };
  if (statusCode >= 500) request.log.error(line, 'request failed');
  else request.log.info(line, 'request');
}

/** The line of a request whose caller disconnected: one that lost patience, or that ended a stream. */
export function logLeftCaller(request: FastifyRequest, reply: FastifyReply): void {
  const { url: route } = request.routeOptions;
  const status = reply.raw.headersSent ? reply.statusCode : undefined;
  request.log.info({ ...lineOf(request, reply.elapsedTime), route, status }, 'caller left');
}

function lineOf({ call, method, url }: FastifyRequest, elapsedMs: number) {
  return {
    trace_id: call.correlationId,
    method,
    path: url.split('?', 1)[0],
    ms: Math.round(elapsedMs * 10) / 10,
    principal: call.principal ? principalKey(call.principal) : undefined,
    env_scope: call.admission?.envScope ?? undefined,
  };
}

/** Details of a 5xx for the operator; callers never see them. */
export function logFailure(request: FastifyRequest, error: ServiceError): void {
  const trace = { trace_id: request.call.correlationId };
  const { cause, message } = error.details;
  if (error.code === 'INTERNAL_ERROR') {
    request.log.error({ ...trace, fault: faultOf(error) }, 'unexpected error');
  } else if (cause !== undefined) {
    // Without frames: during an outage every request writes this line.
    const { type, code } = faultOf(cause);
    request.log.error({ ...trace, cause: { type, code } }, message?.en ?? 'service unavailable');
  }
}
