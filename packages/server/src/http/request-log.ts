import type { FastifyReply, FastifyRequest } from 'fastify';
import { faultOf } from '../rules/endings/fault.ts';
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
  const { call } = request;
  const line = {
    trace_id: call.correlationId,
    method: request.method,
    path: request.url.split('?', 1)[0],
    route,
    status: statusCode,
    ms: Math.round(elapsedTime * 10) / 10,
    principal: call.principal ? principalKey(call.principal) : undefined,
    env_scope: call.admission?.envScope ?? undefined,
  };
  if (statusCode >= 500) request.log.error(line, 'request failed');
  else request.log.info(line, 'request');
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
