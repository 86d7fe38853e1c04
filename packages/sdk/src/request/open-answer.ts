import { withFacts } from '../errors/with-facts.ts';
import { fromTransport, openResponse, readText, underClocks } from './attempt.ts';
import { AttemptClocks } from './attempt-clocks.ts';
import type { Call, Core } from './core.ts';
import { errorFromResponse } from './error-envelope.ts';
import type { FetchAnswer } from './http.ts';
import { AttemptSpan, type TracedRequest } from './tracing.ts';

/** An answer whose body is being read under the clocks. Dispose of the clocks when it has ended. */
export interface OpenAnswer {
  readonly response: FetchAnswer;
  readonly clocks: AttemptClocks;
}

/** A call of an operation, or of an address that the service made. */
export type Opening = Pick<Call, 'headers' | 'body' | 'signal'> & TracedRequest;

/**
 * One attempt up to the headers of its answer, which may take long but never pause longer than `stallTimeoutMs`. Its span ends
 * there, too: one that covered the body would not be exported before the stream is over.
 * @throws ApiError for an answer that is not fine; ConnectionError, TimeoutError, AbortedError
 */
export async function openAnswer(
  core: Core,
  call: Opening,
  stallTimeoutMs: number,
  isFine = (status: number) => status >= 200 && status < 300,
): Promise<OpenAnswer> {
  await core.transport.ready();
  const clocks = new AttemptClocks(core.clock, { stallTimeoutMs, signal: call.signal });
  const { method, url, body, operation, traceId } = call;
  const span = new AttemptSpan(core.tracer, call);
  try {
    clocks.touch();
    const headers = { ...call.headers, ...span.headers };
    const request = { method, url, headers, body, signal: clocks.signal };
    const response = await underClocks(clocks, () =>
      fromTransport(() => openResponse(core.transport, request)),
    );
    span.answered(response.status);
    if (isFine(response.status)) return { response, clocks };
    const text = await underClocks(clocks, () => fromTransport(() => readText(response, clocks)));
    const answer = { status: response.status, headers: response.headers, body: text };
    throw errorFromResponse(answer, core.clock.now());
  } catch (error) {
    span.failed(error);
    clocks.dispose();
    throw withFacts(error, { operation, traceId });
  } finally {
    span.end();
  }
}
