/** Response headers, read case-insensitively. */
export interface ResponseHeaders {
  get(name: string): string | null;
  /** Names and values, if the transport can list them. */
  entries?(): Iterable<readonly [string, string]>;
}

/** One attempt as middleware sees it. The body is the exact bytes that every attempt sends. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Aborts when the caller's signal does or a clock expires. */
  readonly signal: AbortSignal;
}

/** An answer with its body read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
}

export interface MiddlewareContext {
  /** Operation of the wire, e.g. `submitJob`. */
  readonly operation: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly idempotencyKey: string | null;
  readonly traceId: string;
}

/**
 * Wraps every attempt, outermost first: change the request, inspect the answer, or answer it yourself. Not for streams of
 * events, which are sent with the `headers` of the client and of the call, nor for downloads by signed URLs.
 */
export type Middleware = (
  request: HttpRequest,
  next: (request: HttpRequest) => Promise<HttpResponse>,
  context: MiddlewareContext,
) => Promise<HttpResponse>;

/** Structured log lines. Never contains secrets. */
export interface Logger {
  debug(message: string, fields: Record<string, unknown>): void;
  info(message: string, fields: Record<string, unknown>): void;
  warn(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}

/** The parts of an answer that the SDK reads; every runtime's `Response` has them. */
export interface FetchAnswer {
  readonly status: number;
  /** `opaqueredirect` in runtimes that hide an unfollowed redirect. */
  readonly type?: string;
  readonly headers: ResponseHeaders;
  readonly body: {
    getReader(): {
      read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: unknown }>;
      cancel(): Promise<void>;
    };
    cancel(): Promise<void>;
  } | null;
}

/** The parts of the fetch standard that the SDK needs; every runtime's own fetch has them. */
export type Fetch = (
  url: string,
  init: Omit<TransportInit, 'body'> & { readonly body: string | null; readonly redirect: 'manual' },
) => Promise<FetchAnswer>;

/** Transfers bytes. Never follows a redirect, retries, or times out by itself. */
export interface Transport {
  /**
   * Loads its dependencies, before an attempt's clocks start, because this is not network time.
   * @throws ConfigurationError
   */
  ready(): Promise<unknown>;
  send(url: string, init: TransportInit): Promise<FetchAnswer>;
  /** Closes idle connections; calls in progress finish. */
  close(): Promise<void>;
}

export interface TransportInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}
