/** Response headers, read case-insensitively. */
export interface ResponseHeaders {
  get(name: string): string | null;
  /** Names and values, where the transport can tell them. */
  entries?(): Iterable<readonly [string, string]>;
}

/** One attempt as middleware sees it. The body is the exact bytes that every attempt sends. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Aborts when the caller does or a clock runs out. */
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

/** Wraps every attempt, outermost first: change the request, look at the answer, or answer yourself. */
export type Middleware = (
  request: HttpRequest,
  next: (request: HttpRequest) => Promise<HttpResponse>,
  context: MiddlewareContext,
) => Promise<HttpResponse>;

/** Structured log lines. Nothing secret is ever passed. */
export interface Logger {
  debug(message: string, fields: Record<string, unknown>): void;
  info(message: string, fields: Record<string, unknown>): void;
  warn(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}

/** What the SDK reads of an answer; every runtime's `Response` is one. */
export interface FetchAnswer {
  readonly status: number;
  /** `opaqueredirect` in runtimes that hide a redirect which is not followed. */
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

/** The part of the fetch standard that the SDK needs; every runtime's own fetch fits. */
export type Fetch = (
  url: string,
  init: Omit<TransportInit, 'body'> & { readonly body: string | null; readonly redirect: 'manual' },
) => Promise<FetchAnswer>;

/** How bytes travel. Never follows a redirect, never retries, never times out by itself. */
export interface Transport {
  /** Loads what it is made of. Done before the clocks of an attempt start: it is not the network's time. */
  ready(): Promise<unknown>;
  send(url: string, init: TransportInit): Promise<FetchAnswer>;
  /** Closes idle connections; calls under way finish. */
  close(): Promise<void>;
}

export interface TransportInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}
