import type { ChangguError } from '../errors/changgu-error.ts';
import { redactUrl } from './redaction.ts';

/**
 * The parts of an OpenTelemetry tracer that the SDK needs: pass `trace.getTracer('my-service')` of `@opentelemetry/api`.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export interface Tracer {
  startSpan(
    name: string,
    options: { kind: number; attributes: Record<string, string | number> },
  ): Span;
}

/** The parts of a span that the SDK needs. */
export interface Span {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

const KIND_CLIENT = 2;
const STATUS_ERROR = 2;

/** What a span says of a request. */
export interface TracedRequest {
  readonly method: string;
  readonly url: string;
  /** The path with its placeholders; null for an address that the service made. */
  readonly template: string | null;
  readonly operation: string;
  readonly traceId: string | null;
}

/** One attempt's span, named and described by the semantic conventions for HTTP clients. */
export class AttemptSpan {
  readonly #span: Span | undefined;
  readonly #isSent: boolean;

  constructor(tracer: Tracer | undefined, request: TracedRequest, attempt = 1) {
    const { method, template } = request;
    this.#isSent = template !== null;
    this.#span = tracer?.startSpan(template === null ? method : `${method} ${template}`, {
      kind: KIND_CLIENT,
      attributes: attributesOf(request, attempt),
    });
  }

  /** W3C trace context, so that the service continues the trace. Nothing is added to an address that it made. */
  get headers(): Record<string, string> {
    if (!this.#span || !this.#isSent) return {};
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    const flags = traceFlags.toString(16).padStart(2, '0');
    return { traceparent: `00-${traceId}-${spanId}-${flags}` };
  }

  answered(status: number): void {
    this.#span?.setAttribute('http.response.status_code', status);
  }

  failed(error: unknown): void {
    const code = (error as ChangguError | null)?.code;
    this.#span?.setAttribute('error.type', typeof code === 'string' ? code : '_OTHER');
    this.#span?.setStatus({ code: STATUS_ERROR });
  }

  end(): void {
    this.#span?.end();
  }
}

function attributesOf(
  { method, url, template, operation, traceId }: TracedRequest,
  attempt: number,
): Record<string, string | number> {
  const { hostname, port, protocol } = new URL(url);
  return {
    'http.request.method': method,
    'url.full': redactUrl(url),
    ...(template === null ? {} : { 'url.template': template }),
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    'changgu.operation': operation,
    ...(traceId === null ? {} : { 'changgu.trace_id': traceId }),
    ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
  };
}
