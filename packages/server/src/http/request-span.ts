import { SpanStatusCode } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { continueTrace, isTracing, startSpan } from '../tracing/spans.ts';

/** Starts a request's span, which continues the caller's trace if there is one. Null when tracing is off. */
export function startRequestSpan(request: FastifyRequest): ReturnType<typeof startSpan> | null {
  if (!isTracing()) return null;
  const route = request.routeOptions.url ?? 'unknown route';
  return startSpan(`${request.method} ${route}`, {
    kind: 'server',
    attributes: { 'http.request.method': request.method, 'http.route': route },
    parent: continueTrace(request.headers),
  });
}

/** Without a status where the caller left before one was sent. */
export function endRequestSpan({ call }: FastifyRequest, { raw, statusCode }: FastifyReply): void {
  if (raw.headersSent) call.span?.setAttribute('http.response.status_code', statusCode);
  call.span?.setAttribute('changgu.trace_id', call.correlationId);
  if (statusCode >= 500) call.span?.setStatus({ code: SpanStatusCode.ERROR });
  call.span?.end();
}
