import type { RequestOptions } from '../client-options.ts';
import { withFacts } from '../errors/with-facts.ts';
import type { Answer } from './core.ts';
import type { ResponseHeaders } from './http.ts';

/** An answer without its body. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Give it to the operators of the service; null when a proxy removed it. */
  readonly requestId: string | null;
  /** Trace id that was sent with every attempt. */
  readonly traceId: string | null;
  /** Attempts made, the first included. */
  readonly attempts: number;
}

/** Data together with the answer that contained it. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ResponseFacts;
}

/** The promise that every call returns. */
export interface Reply<T> extends Promise<T> {
  /** The same data with status, headers and request id of its answer, or the last answer of several requests. */
  withResponse(): Promise<WithResponse<T>>;
}

/** Registered, because a build may hold this twice: beside a client, and in the file that sends. */
const NOTE: unique symbol = Symbol.for('changgu.sdk.note');
interface NotedOptions extends RequestOptions {
  readonly [NOTE]?: ((answer: Answer) => void) | undefined;
}

/** Turns work whose requests use the given options into one call. */
export function reply<T>(
  options: RequestOptions | undefined,
  work: (options: RequestOptions) => Promise<T>,
): Reply<T> {
  const outer: NotedOptions | undefined = options;
  let last: Answer | null = null;
  const noted: NotedOptions = {
    ...options,
    [NOTE]: (answer) => {
      last = answer;
      outer?.[NOTE]?.(answer);
    },
  };
  const promise = work(noted).catch((error: unknown) => {
    // What was wrong with an answer is found by those who read it, who know nothing of its call.
    throw last ? withFacts(error, last.facts) : error;
  });
  const withResponse = async () => {
    const data = await promise;
    if (last === null) throw new TypeError('The call made no request.');
    return { data, response: factsOf(last) };
  };
  return Object.defineProperty(promise, 'withResponse', { value: withResponse }) as Reply<T>;
}

/** Reports an answer to the call that its request belongs to. */
export function noteAnswer(options: NotedOptions | undefined, answer: Answer): Answer {
  options?.[NOTE]?.(answer);
  return answer;
}

function factsOf({ status, headers, facts }: Answer): ResponseFacts {
  const { traceId, attempts } = facts;
  const requestId = headers.get('x-request-id') ?? headers.get('x-trace-id');
  return { status, headers, requestId, traceId, attempts };
}
