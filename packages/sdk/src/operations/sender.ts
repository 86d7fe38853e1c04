import type { ClientSettings, WireRoute } from '../caller.ts';
import { checkOptions } from '../check-options.ts';
import type { RequestOptions } from '../client-options.ts';
import type { CallFacts } from '../errors/changgu-error.ts';
import { ConfigurationError } from '../errors/transport-errors.ts';
import { withFacts } from '../errors/with-facts.ts';
import { bodyOf } from '../request/answer-body.ts';
import { underClocks } from '../request/attempt.ts';
import { AttemptClocks } from '../request/attempt-clocks.ts';
import { type Answer, type Call, type Core, execute } from '../request/core.ts';
import { type OpenAnswer, openAnswer } from '../request/open-answer.ts';
import { noteAnswer } from '../request/reply.ts';
import { userAgent } from '../runtime.ts';
import { isRecord, isString, listOf, optional } from '../shape.ts';
import { snakeRecord } from '../wire-case.ts';
import {
  type Authority,
  OPERATION_TABLE,
  type OperationName,
  type OperationRow,
} from './operation-table.ts';
import { operationUrl } from './operation-url.ts';

/** A call prepared by the caller's own code: the body is final bytes. */
export interface RawInput {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Whose credentials are preferred. @default those of the operation */
  readonly as?: Authority | undefined;
}

/** What every list answers; some have no further pages. */
const PAGE = { items: listOf(isRecord), next_cursor: optional(isString) };

/** A longer Retry-After fails at once. */
const DEFAULT_MAX_RETRY_AFTER_MS = 120_000;

/** Turns operations into calls of the request core: URL, credentials, headers, limits. */
export class Sender {
  readonly core: Core;
  readonly #client: ClientSettings;
  readonly #standingHeaders: Readonly<Record<string, string>>;

  constructor(core: Core, client: ClientSettings) {
    this.core = core;
    this.#client = client;
    this.#standingHeaders = standingHeaders(client);
  }

  /** A call's limits: its own, then the client's, then the defaults. */
  limits(options: RequestOptions) {
    checkOptions(options);
    const { settings } = this.#client;
    return {
      attemptTimeoutMs: options.attemptTimeoutMs ?? settings.attemptTimeoutMs ?? 30_000,
      totalTimeoutMs: options.totalTimeoutMs ?? settings.totalTimeoutMs ?? 300_000,
      stallTimeoutMs: settings.stallTimeoutMs ?? 15_000,
      maxRetries: options.maxRetries ?? settings.maxRetries ?? 4,
      maxRetryAfterMs: settings.maxRetryAfterMs ?? DEFAULT_MAX_RETRY_AFTER_MS,
    };
  }

  /** The options of a call of several requests: each of them may take what is left of the call's time. */
  timed(options: RequestOptions): RequestOptions {
    const { clock } = this.core;
    const end = clock.now() + this.limits(options).totalTimeoutMs;
    return {
      ...options,
      get totalTimeoutMs() {
        return Math.max(0, end - clock.now());
      },
    };
  }

  /** Waits for what others may wait for too, as long as a call with these options may take. */
  async within<T>(
    facts: Partial<CallFacts>,
    options: RequestOptions,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { totalTimeoutMs } = this.limits(options);
    const { signal } = options;
    const clocks = new AttemptClocks(this.core.clock, { totalTimeoutMs, signal });
    try {
      return await underClocks(clocks, () => work(clocks.signal));
    } catch (error) {
      throw withFacts(error, facts);
    } finally {
      clocks.dispose();
    }
  }

  /** Calls an operation with final bytes and returns the body of its answer in camelCase. */
  async call(operation: OperationName, input: RawInput, options?: RequestOptions) {
    const answer = await this.send(operation, input, options);
    return bodyOf(answer, operation.startsWith('list') ? PAGE : {});
  }

  /** Calls an operation with final bytes and returns its answer unchanged. */
  async send(operation: OperationName, input: RawInput, options?: RequestOptions): Promise<Answer> {
    return this.#send(operation, OPERATION_TABLE[operation], input, options);
  }

  /** Calls a path that may not be in the table: only a GET or a request with a key is retried. */
  async sendTo(
    { method, path, as }: WireRoute,
    input: Omit<RawInput, 'path'>,
    options?: RequestOptions,
  ): Promise<Answer> {
    const keyed = input.idempotencyKey === undefined ? 'once' : 'keyed';
    const repeat = method === 'GET' ? 'read' : keyed;
    const row = { method, path, repeat, authority: as ?? 'client' } as const;
    return this.#send(`${method} ${path}`, row, input, options);
  }

  /**
   * Opens an endless answer. The caller reads its body, touches the clocks with every chunk, and disposes of them.
   * Middleware handles complete answers only, so it does not see this one.
   */
  async open(
    operation: OperationName,
    input: RawInput,
    stallMs: number,
    options: RequestOptions = {},
  ): Promise<OpenAnswer> {
    const wire = { ...input, query: snakeRecord(input.query) };
    const call = await this.#callOf(operation, OPERATION_TABLE[operation], wire, options);
    return openAnswer(this.core, call, stallMs);
  }

  async #send(
    operation: string,
    row: OperationRow,
    input: RawInput,
    options?: RequestOptions,
  ): Promise<Answer> {
    const call = await this.#callOf(operation, row, input, options);
    return noteAnswer(options, await execute(this.core, call));
  }

  async #callOf(
    operation: string,
    { method, path, repeat, authority }: OperationRow,
    input: RawInput,
    options: RequestOptions = {},
  ): Promise<Call> {
    const { baseUrl, credentials, settings } = this.#client;
    const startedAt = this.core.clock.now();
    // Before the token: of a timed call they say what is left now.
    const limits = this.limits(options);
    const traceId = options.traceId ?? newTraceId();
    const idempotencyKey = input.idempotencyKey ?? null;
    const jobId = typeof input.path?.job_id === 'string' ? input.path.job_id : null;
    const facts = { operation, idempotencyKey, traceId, jobId };
    // The caller's own function may provide the token, in its own time.
    const authorization = await this.within(facts, options, () =>
      credentials.headerFor(operation, input.as ?? authority),
    );
    return {
      ...facts,
      startedAt,
      repeat,
      method,
      template: path,
      url: operationUrl(baseUrl, path, input.path, queryOf(input.query)),
      headers: {
        ...this.#standingHeaders,
        'x-trace-id': traceId,
        ...input.headers,
        ...lowerCased(settings.headers),
        ...lowerCased(options.headers),
        ...(input.body === undefined ? undefined : { 'content-type': 'application/json' }),
        ...(idempotencyKey === null ? undefined : { 'idempotency-key': idempotencyKey }),
        ...authorization,
      },
      body: input.body,
      signal: options.signal,
      ...limits,
      middleware: options.middleware ?? [],
    };
  }
}

function standingHeaders({ envScope, settings }: ClientSettings): Record<string, string> {
  const { language, organizationId } = settings;
  return {
    accept: 'application/json',
    'user-agent': userAgent(),
    'x-env-scope': envScope,
    ...(language === undefined ? undefined : { 'accept-language': language }),
    ...(organizationId === undefined ? undefined : { 'x-organization-id': String(organizationId) }),
  };
}

/** Two spellings of one name would be sent as two values. */
function lowerCased(headers: RequestOptions['headers'] = {}): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** The format that the service keeps as its own trace id. It protects nothing, so it does not load WebCrypto. */
function newTraceId(): string {
  const digit = () => Math.floor(Math.random() * 16).toString(16);
  return `trc_${Array.from({ length: 32 }, digit).join('')}`;
}

function queryOf(query: RawInput['query'] = {}): Record<string, string | readonly string[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, queryText(name, value)]));
}

function queryText(name: string, value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ConfigurationError(`query ${name} must be text, a number or a list.`);
}
