import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import type { Encryptor } from './encryption/encryptor.ts';
import { ConfigurationError } from './errors/transport-errors.ts';
import type { Clock } from './request/clock.ts';
import type { ConnectionOptions } from './request/connection-options.ts';
import type { RetryEvent } from './request/core.ts';
import type { Fetch, Logger, Middleware } from './request/http.ts';
import type { LogLevel } from './request/logging.ts';
import type { Tracer } from './request/tracing.ts';
import { environmentVariable } from './runtime.ts';

/** Settings of one call; each overrides the client's. */
export interface RequestOptions {
  /** Aborts the call at once, even while it sleeps before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, including headers and body. @default 30000 */
  readonly attemptTimeoutMs?: number | undefined;
  /** Milliseconds for the whole call, including retries and pauses. @default 300000 */
  readonly totalTimeoutMs?: number | undefined;
  /** Retries after the first attempt. @default 4 */
  readonly maxRetries?: number | undefined;
  /** Correlates the logs of both sides: `[A-Za-z0-9_.-]`, 1 to 128 characters. @default `trc_` and 32 hex digits */
  readonly traceId?: string | undefined;
  /** Additional request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Runs inside the client's own middleware. */
  readonly middleware?: readonly Middleware[] | undefined;
}

/** All options of a client. Omitted ones come from `CHANGGU_*` variables or a default. */
export interface ClientOptions extends Omit<RequestOptions, 'signal' | 'traceId'> {
  /** Address of the service; https unless loopback. @default CHANGGU_BASE_URL */
  readonly baseUrl?: string | undefined;
  /** @default CHANGGU_CLIENT_ID, where no credential is given */
  readonly clientId?: string | undefined;
  /** @default CHANGGU_CLIENT_SECRET, where no credential is given */
  readonly clientSecret?: string | undefined;
  /** Console, admin or OAuth token, or a function that returns the current one and is called before each call. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Legacy key, sent as x-api-key. */
  readonly apiKey?: string | undefined;
  /** @default CHANGGU_ENV_SCOPE, then sandbox */
  readonly envScope?: EnvScope | undefined;
  /** The organization that an admin user acts for. */
  readonly organizationId?: number | undefined;
  /** Language of the service's messages. @default ko */
  readonly language?: 'ko' | 'en' | undefined;
  /** Replaces the transport, for example in tests. On Node it replaces undici and `connection`. */
  readonly fetch?: Fetch | undefined;
  /** Pool, proxy and trusted certificates of the Node transport. */
  readonly connection?: ConnectionOptions | undefined;
  /** Maximum milliseconds between two chunks of a body. @default 15000 */
  readonly stallTimeoutMs?: number | undefined;
  /** A longer Retry-After fails at once, with the value in the error. @default 120000 */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * Retries for this client and those derived from it: `ratio` earned per call, `burst` saved up at most. A call
   * that succeeds after retries returns them, and a 429 with Retry-After costs none. An error that the budget
   * ended has `retryStop: 'budget'`. False for no budget. @default { ratio: 0.1, burst: 100 }
   */
  readonly retryBudget?: { readonly ratio: number; readonly burst: number } | false | undefined;
  /** `console`, a pino logger, or your own. @default standard error, if `logLevel` enables it */
  readonly logger?: Logger | undefined;
  /** The lowest level to log. @default CHANGGU_LOG if it is a level, then everything with a `logger`, and nothing without */
  readonly logLevel?: LogLevel | undefined;
  /** An OpenTelemetry tracer: each attempt becomes a span, whose context is sent as `traceparent`. */
  readonly tracer?: Tracer | undefined;
  /** Called before the sleep that precedes each retry. What it throws or rejects with is logged. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  /** Encrypts `secrets`. @default node:crypto on Node, Bun and Deno, otherwise WebCrypto */
  readonly encryptor?: Encryptor | undefined;
  /** Time source, for tests. */
  readonly clock?: Clock | undefined;
  /** Random source of the jitter, for tests. */
  readonly random?: (() => number) | undefined;
}

/** The options completed from the environment, so that a derived client keeps its identity. */
export function withEnvironment(options: ClientOptions): ClientOptions {
  const { clientId, clientSecret, token, apiKey } = options;
  // A client created with a credential, or with half of one, must not also use the key of the machine it runs on.
  const isAlone = [clientId, clientSecret, token, apiKey].some((one) => one !== undefined);
  const fallback = isAlone ? () => undefined : environmentVariable;
  return {
    ...options,
    baseUrl: options.baseUrl ?? environmentVariable('CHANGGU_BASE_URL'),
    clientId: clientId ?? fallback('CHANGGU_CLIENT_ID'),
    clientSecret: clientSecret ?? fallback('CHANGGU_CLIENT_SECRET'),
    envScope: resolveEnvScope(options.envScope),
  };
}

/** The base URL without a trailing slash. @throws ConfigurationError when it is not https and not loopback */
export function resolveBaseUrl(given: string | undefined): string {
  if (!given) throw new ConfigurationError('Pass baseUrl or set CHANGGU_BASE_URL.');
  const url = URL.parse(given);
  if (!url) throw new ConfigurationError('baseUrl is not a URL.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigurationError('baseUrl must be https, or http on a loopback address.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError('baseUrl must hold no credentials, query or fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** @throws ConfigurationError for a name that is not one of the three environments */
export function resolveEnvScope(given: string | undefined): EnvScope {
  const text = given ?? environmentVariable('CHANGGU_ENV_SCOPE') ?? 'sandbox';
  const scope = ENV_SCOPES.find((name) => name === text);
  if (!scope) throw new ConfigurationError(`envScope must be one of ${ENV_SCOPES.join(', ')}.`);
  return scope;
}
