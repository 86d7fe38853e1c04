import { type CallFacts, ChangguError } from '../errors/changgu-error.ts';
import type { ConfigurationError } from '../errors/transport-errors.ts';
import { withFacts } from '../errors/with-facts.ts';
import { sendOnce, underClocks } from './attempt.ts';
import { AttemptClocks } from './attempt-clocks.ts';
import type { Clock } from './clock.ts';
import { errorFromResponse } from './error-envelope.ts';
import type {
  HttpRequest,
  HttpResponse,
  Logger,
  Middleware,
  MiddlewareContext,
  Transport,
} from './http.ts';
import { parseJsonBody } from './json-body.ts';
import { notify } from './notify.ts';
import { redactUrl } from './redaction.ts';
import type { RetryBudget } from './retries/retry-budget.ts';
import {
  costsBudget,
  type Repeat,
  type RetrySituation,
  retryDelay,
} from './retries/retry-policy.ts';
import { sleep } from './sleep.ts';
import { AttemptSpan, type Tracer } from './tracing.ts';
import type { WaitSlots } from './wait-slots.ts';

/** Identifies the call. */
type CallIdentity = Pick<CallFacts, 'operation' | 'idempotencyKey' | 'traceId' | 'jobId'>;

/** Identifies the call and its progress. */
export type AttemptFacts = CallIdentity & Pick<CallFacts, 'attempts' | 'elapsedMs'>;

/** Called before the sleep that precedes a retry. */
export interface RetryEvent extends AttemptFacts {
  readonly error: ChangguError;
  readonly delayMs: number;
}

/** What all calls of a client share. */
export interface Core {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly budget: RetryBudget;
  readonly waitSlots: WaitSlots;
  readonly middleware: readonly Middleware[];
  readonly logger: Logger | undefined;
  readonly tracer: Tracer | undefined;
  readonly onRetry: ((event: RetryEvent) => unknown) | undefined;
}

/** One logical call, complete: every attempt sends the same bytes under the same key. */
export interface Call {
  readonly operation: string;
  readonly repeat: Repeat;
  readonly method: string;
  readonly url: string;
  /** The path with its placeholders. */
  readonly template: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly idempotencyKey: string | null;
  readonly jobId: string | null;
  readonly traceId: string;
  readonly signal: AbortSignal | undefined;
  /** Of the client's clock. */
  readonly startedAt: number;
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly stallTimeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly middleware: readonly Middleware[];
}

/** A 2xx answer with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly body: unknown;
  /** For errors found in the answer. */
  readonly facts: AttemptFacts & Partial<Pick<CallFacts, 'retryStop'>>;
}

/**
 * Makes the call: attempts under the three clocks, retries by the retry table, typed errors that carry the key.
 * Anything other than an SDK error was thrown by the caller's code and is rethrown unchanged.
 */
export async function execute(core: Core, call: Call): Promise<Answer> {
  const elapsed = () => core.clock.now() - call.startedAt;
  core.budget.earn();
  const { operation, idempotencyKey, traceId, jobId } = call;
  const known: CallIdentity = { operation, idempotencyKey, traceId, jobId };
  await core.transport.ready().catch((error: ConfigurationError) => {
    throw withFacts(error, known);
  });
  let spent = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await attemptCall(core, call, attempt, call.totalTimeoutMs - elapsed());
      core.budget.refund(spent);
      const retryStop = call.repeat === 'once' ? 'not-retryable' : null;
      return { ...answer, facts: { ...known, attempts: attempt, elapsedMs: elapsed(), retryStop } };
    } catch (error) {
      if (!(error instanceof ChangguError)) throw error;
      const elapsedMs = elapsed();
      withFacts(error, { ...known, attempts: attempt, elapsedMs });
      const { delayMs, cost } = delayOrThrow(core, error, {
        ...call,
        retries: attempt - 1,
        leftMs: call.totalTimeoutMs - elapsedMs,
      });
      spent += cost;
      announceRetry(core, call, error, delayMs);
      await sleep(core.clock, delayMs, call.signal).catch((abort: ChangguError) => {
        throw withFacts(abort, factsOf(error));
      });
    }
  }
}

/**
 * How long to sleep before another attempt, and what that costs of the budget.
 * @throws the error, with the reason, when there will be no further attempt
 */
export function delayOrThrow(
  { random, budget }: Core,
  error: ChangguError,
  situation: Omit<RetrySituation, 'random'>,
): { readonly delayMs: number; readonly cost: number } {
  const delay = retryDelay(error, { ...situation, random });
  if (typeof delay === 'string') throw withFacts(error, { retryStop: delay });
  const cost = costsBudget(error) ? 1 : 0;
  if (cost > 0 && !budget.spend()) throw withFacts(error, { retryStop: 'budget' });
  return { delayMs: delay, cost };
}

async function attemptCall(
  core: Core,
  call: Call,
  attempt: number,
  totalLeftMs: number,
): Promise<Omit<Answer, 'facts'>> {
  const clocks = new AttemptClocks(core.clock, call, totalLeftMs);
  const span = new AttemptSpan(core.tracer, call, attempt);
  try {
    const traced = core.tracer ? { ...call, headers: { ...call.headers, ...span.headers } } : call;
    const response = await underClocks(clocks, () =>
      throughMiddleware(core, traced, attempt, clocks),
    );
    span.answered(response.status);
    core.logger?.debug('answer', {
      operation: call.operation,
      url: redactUrl(call.url),
      status: response.status,
      attempt,
      traceId: call.traceId,
    });
    if (response.status < 200 || response.status > 299) {
      throw errorFromResponse(response, core.clock.now());
    }
    return { status: response.status, headers: response.headers, body: parseJsonBody(response) };
  } catch (error) {
    span.failed(error);
    throw error;
  } finally {
    span.end();
    clocks.dispose();
  }
}

type Send = (request: HttpRequest) => Promise<HttpResponse>;

function throughMiddleware(
  core: Core,
  call: Call,
  attempt: number,
  clocks: AttemptClocks,
): Promise<HttpResponse> {
  const { operation, idempotencyKey, traceId } = call;
  const context: MiddlewareContext = { operation, attempt, idempotencyKey, traceId };
  const innermost = (request: HttpRequest) => sendOnce(core.transport, request, clocks);
  const chain = [...core.middleware, ...call.middleware].reduceRight<Send>(
    (next, middleware) => (request: HttpRequest) => middleware(request, next, context),
    innermost,
  );
  const headers =
    attempt === 1 ? call.headers : { ...call.headers, 'x-changgu-attempt': String(attempt) };
  const { method, url, body } = call;
  return chain({ method, url, headers, body, signal: clocks.signal });
}

function announceRetry(core: Core, call: Call, error: ChangguError, delayMs: number): void {
  const facts = factsOf(error);
  core.logger?.warn('retry', { ...facts, code: error.code, delayMs, url: redactUrl(call.url) });
  notify('onRetry', core.onRetry, { ...facts, error, delayMs }, core.logger);
}

function factsOf(error: ChangguError): AttemptFacts {
  const { operation, idempotencyKey, traceId, jobId, attempts, elapsedMs } = error;
  return { operation, idempotencyKey, traceId, jobId, attempts, elapsedMs };
}
