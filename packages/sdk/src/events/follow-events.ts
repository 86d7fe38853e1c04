import type { Camel, EventRecord } from '@changgu/contract';
import type { OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { ChangguError } from '../errors/changgu-error.ts';
import { InvalidResponseError } from '../errors/transport-errors.ts';
import { withFacts } from '../errors/with-facts.ts';
import type { Sender } from '../operations/sender.ts';
import { fromTransport, underClocks } from '../request/attempt.ts';
import { backoffDelay } from '../request/retries/backoff.ts';
import { retryDelay } from '../request/retries/retry-policy.ts';
import { sleep } from '../request/sleep.ts';
import { isRecord, isString, like } from '../shape.ts';
import { camelize } from '../wire-case.ts';
import type { JobChanges } from './job-changes.ts';
import { frameReader } from './server-sent-events.ts';

/** Three missed heartbeats. */
const STALL_MS = 45_000;

export type EventStreamQuery = Omit<NonNullable<OperationInput<'listEvents'>['query']>, 'limit'>;

/** The end of a stream's connection. The next one continues where it was. */
export interface StreamInterruption {
  /** Null when the service ended it properly. */
  readonly error: ChangguError | null;
  /** Milliseconds until the next connection. */
  readonly delayMs: number;
}

/** A stream has neither an end nor a number of attempts. */
export interface StreamOptions extends Pick<RequestOptions, 'signal' | 'traceId' | 'headers'> {
  /**
   * Called with the stream's position when it opens, and regularly while its filters match nothing. To resume there,
   * pass it as `after`.
   */
  readonly onPlace?: ((eventId: string) => void) | undefined;
  readonly onInterruption?: ((interruption: StreamInterruption) => void) | undefined;
}

/**
 * Yields every event once and in order, over as many connections as necessary. Ends only when the reader leaves.
 * `changes` hears of jobs if nothing is filtered out.
 */
export async function* followEvents(
  sender: Sender,
  changes: JobChanges,
  query: EventStreamQuery,
  { onPlace, onInterruption, ...options }: StreamOptions,
  left: AbortSignal,
): AsyncGenerator<Camel.EventRecord, void, void> {
  const { clock } = sender.core;
  const signal = options.signal ? AbortSignal.any([left, options.signal]) : left;
  const { after, ...filters } = query;
  const isWhole = Object.values(filters).every((filter) => filter === undefined);
  let place = after ?? null;
  let failures = 0;
  for (;;) {
    let interruption: StreamInterruption;
    try {
      for await (const step of stepsFrom(sender, isWhole ? changes : null, filters, place, {
        ...options,
        signal,
      })) {
        failures = 0;
        if (step.event !== null) yield step.event;
        // Set afterwards, so that an event that was not taken comes again.
        place = step.id ?? place;
        if (step.event === null && step.id !== null) onPlace?.(step.id);
      }
      const delayMs = backoffDelay(failures + 1, sender.core.random);
      interruption = { error: null, delayMs };
    } catch (error) {
      if (left.aborted) return;
      if (!(error instanceof ChangguError)) throw error;
      withFacts(error, { operation: 'listEvents', attempts: failures + 1 });
      interruption = { error, delayMs: delayAfter(sender, error, failures, options) };
    }
    failures += 1;
    onInterruption?.(interruption);
    try {
      await sleep(clock, interruption.delayMs, signal);
    } catch (aborted) {
      if (left.aborted) return;
      throw aborted;
    }
  }
}

/** @throws the error, if another connection would fail with it too */
function delayAfter(
  sender: Sender,
  error: ChangguError,
  retries: number,
  options: RequestOptions,
): number {
  const delay = retryDelay(error, {
    repeat: 'read',
    retries,
    maxRetries: Number.POSITIVE_INFINITY,
    maxRetryAfterMs: sender.limits(options).maxRetryAfterMs,
    random: sender.core.random,
  });
  if (typeof delay === 'string') throw withFacts(error, { retryStop: delay });
  return delay;
}

/** A frame of a stream, with its event if there is one. */
interface Step {
  readonly id: string | null;
  readonly event: Camel.EventRecord | null;
}

/** The steps of one connection. */
async function* stepsFrom(
  sender: Sender,
  changes: JobChanges | null,
  query: Omit<EventStreamQuery, 'after'>,
  place: string | null,
  options: RequestOptions,
): AsyncGenerator<Step, void, void> {
  const headers = {
    accept: 'text/event-stream',
    ...(place === null ? undefined : { 'last-event-id': place }),
  };
  const { response, clocks } = await sender.open(
    'listEvents',
    { query, headers },
    STALL_MS,
    options,
  );
  const reader = response.body?.getReader();
  const readPiece = () => underClocks(clocks, () => fromTransport(async () => reader?.read()));
  const framesOf = frameReader();
  let isPlaced = false;
  try {
    // An older service answers with a page and would be polled forever.
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new InvalidResponseError(response.status, 'it is not a stream of events');
    }
    for (;;) {
      clocks.touch();
      // Before its first frame the service may not know yet from where on it tells.
      const piece = await (isPlaced && changes ? changes.during(readPiece) : readPiece());
      if (piece === undefined || piece.done) return;
      const steps: Step[] = framesOf(piece.value).map(({ id, data }) => ({
        id,
        event: data === null ? null : eventOf(data),
      }));
      isPlaced ||= steps.length > 0;
      for (const { event } of steps) if (event?.subject.jobId) changes?.tell(event.subject.jobId);
      yield* steps;
    }
  } finally {
    clocks.dispose();
    reader?.cancel().catch(() => {});
  }
}

const isEvent = like({ event_id: isString, type: isString, subject: isRecord });

function eventOf(data: string): Camel.EventRecord {
  try {
    const event: unknown = JSON.parse(data);
    // The stream contains the same items as the list of events.
    if (isEvent(event)) return camelize(event as EventRecord);
  } catch {
    // Not JSON, or nested too deeply.
  }
  // The place is kept, and the connection may have damaged it.
  throw new InvalidResponseError(200, 'an event is not one', { retryable: true });
}
