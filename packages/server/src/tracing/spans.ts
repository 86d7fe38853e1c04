import {
  type Attributes,
  type Context,
  context,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/**
 * OpenTelemetry spans from a submission to the requests at the portal. Without an SDK in the process
 * (`node --import …`) all of this does nothing.
 */
const tracer = trace.getTracer('changgu');

export interface SpanDescription {
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly attributes: Attributes;
  /** Default: the span under way. */
  readonly parent?: Context;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/** Starts a span and answers it with the context that its work should run in. */
export function startSpan(
  name: string,
  { kind, attributes, parent = context.active() }: SpanDescription,
): { readonly span: Span; readonly within: Context } {
  const options = { attributes, ...(kind ? { kind: KINDS[kind] } : {}) };
  const span = tracer.startSpan(name, options, parent);
  return { span, within: trace.setSpan(parent, span) };
}

/** False while no SDK is in the process: then requests, which come often, skip what would do nothing. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return (
    !(provider instanceof ProxyTracerProvider) ||
    provider.getDelegateTracer('changgu') !== undefined
  );
}

/** Does `work` inside a span; a failure is noted on it and passes. */
export async function inSpan<Result>(
  name: string,
  description: SpanDescription,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const { span, within } = startSpan(name, description);
  try {
    return await context.with(within, work, undefined, span);
  } catch (failure) {
    // The class only: a message may quote what an institution or a user said.
    const message = failure instanceof Error ? failure.name : 'error';
    span.setStatus({ code: SpanStatusCode.ERROR, message });
    throw failure;
  } finally {
    span.end();
  }
}

/** The context that a caller's headers (`traceparent`) or a stored traceparent continue. */
export function continueTrace(carrier: Readonly<Record<string, unknown>>): Context {
  return propagation.extract(ROOT_CONTEXT, carrier);
}

/** The W3C traceparent of the span under way, to continue it elsewhere; null without an SDK. */
export function currentTraceparent(): string | null {
  if (!isTracing()) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Trace id of a span as 32 hex digits; null when it is not recorded. */
export function traceIdOf(span: Span): string | null {
  return span.isRecording() ? span.spanContext().traceId : null;
}
