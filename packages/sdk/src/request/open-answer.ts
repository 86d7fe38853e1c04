import { withFacts } from '../errors/with-facts.ts';
import { fromTransport, openResponse, readText, underClocks } from './attempt.ts';
import { AttemptClocks } from './attempt-clocks.ts';
import type { Call, Core } from './core.ts';
import { errorFromResponse } from './error-envelope.ts';
import type { FetchAnswer } from './http.ts';
import { AttemptSpan } from './tracing.ts';

/** A 2xx answer whose body is being read under the clocks. */
export interface OpenAnswer {
  readonly response: FetchAnswer;
  readonly clocks: AttemptClocks;
}

/**
 * One attempt up to the headers of its answer, which may take long but never pause longer than `stallMs`. Its span ends
 * there, too: one that covered the body would not be exported before the stream is over.
 */
export async function openAnswer(core: Core, call: Call, stallMs: number): Promise<OpenAnswer> {
  await core.transport.ready();
  const unlimited = Number.POSITIVE_INFINITY;
  const limits = { attemptMs: unlimited, totalLeftMs: unlimited, totalMs: unlimited, stallMs };
  const clocks = new AttemptClocks(core.clock, limits, call.signal);
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
    if (response.status >= 200 && response.status < 300) return { response, clocks };
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
