import type { Camel, EventRecord } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { ChangguError } from '../errors/changgu-error.ts';
import { InvalidResponseError } from '../errors/transport-errors.ts';
import { fromTransport, underClocks } from '../request/attempt.ts';
import { backoffDelay, DEFAULT_BACKOFF } from '../request/backoff.ts';
import { retryDelay } from '../request/retry-policy.ts';
import { sleep } from '../request/sleep.ts';
import { camelize } from '../wire-case.ts';
import { type Frame, frameReader } from './server-sent-events.ts';

/** Three signs of life that did not come. */
const STALL_MS = 45_000;

export type EventStreamQuery = Omit<NonNullable<OperationInput<'listEvents'>['query']>, 'limit'>;

/** Yields every event once and in order, over as many connections as it takes. Ends only when it is left. */
export async function* followEvents(
  caller: Caller,
  query: EventStreamQuery,
  options: RequestOptions,
  left: AbortSignal,
): AsyncGenerator<Camel.EventRecord, void, void> {
  const { clock, random } = caller.core;
  const signal = options.signal ? AbortSignal.any([left, options.signal]) : left;
  const { after, ...filters } = query;
  let place = after ?? null;
  let failures = 0;
  for (;;) {
    let delayMs: number;
    try {
      for await (const frame of framesFrom(caller, filters, place, { ...options, signal })) {
        failures = 0;
        if (frame.data !== null) yield eventOf(frame.data);
        // Afterwards: an event that was not taken comes again.
        place = frame.id ?? place;
      }
      failures += 1;
      delayMs = backoffDelay(failures, DEFAULT_BACKOFF, random);
    } catch (error) {
      if (left.aborted) return;
      if (!(error instanceof ChangguError)) throw error;
      const delay = retryDelay(error, {
        repeat: 'read',
        retries: failures,
        maxRetries: Number.POSITIVE_INFINITY,
        maxRetryAfterMs: caller.limits(options).maxRetryAfterMs,
        leftMs: Number.POSITIVE_INFINITY,
        backoff: DEFAULT_BACKOFF,
        random,
      });
      if (typeof delay === 'string') throw error;
      failures += 1;
      delayMs = delay;
    }
    try {
      await sleep(clock, delayMs, signal);
    } catch (aborted) {
      if (left.aborted) return;
      throw aborted;
    }
  }
}

/** The frames of one connection. */
async function* framesFrom(
  caller: Caller,
  query: Omit<EventStreamQuery, 'after'>,
  place: string | null,
  options: RequestOptions,
): AsyncGenerator<Frame, void, void> {
  const headers = {
    accept: 'text/event-stream',
    ...(place === null ? undefined : { 'last-event-id': place }),
  };
  const { response, clocks } = await caller.open(
    'listEvents',
    { query, headers },
    STALL_MS,
    options,
  );
  const reader = response.body?.getReader();
  const read = frameReader();
  try {
    // A service of before answers a page, and would be asked for it for ever.
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new InvalidResponseError(response.status, 'it is not a stream of events', {
        retryable: false,
      });
    }
    for (;;) {
      clocks.touch();
      const piece = await underClocks(clocks, () => fromTransport(async () => reader?.read()));
      if (piece === undefined || piece.done) return;
      yield* read(piece.value);
    }
  } finally {
    clocks.dispose();
    reader?.cancel().catch(() => {});
  }
}

function eventOf(data: string): Camel.EventRecord {
  try {
    // The stream holds what the list of events holds.
    return camelize(JSON.parse(data) as EventRecord);
  } catch {
    throw new InvalidResponseError(200, 'an event is not JSON');
  }
}
