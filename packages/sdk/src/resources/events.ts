import type { Camel } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type {
  EventStreamQuery,
  StreamInterruption,
  StreamOptions,
} from '../events/follow-events.ts';
import { leavable } from '../jobs/leavable.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';

/** An event: ids, states, times and counts. Its `type` decides what `data` holds. */
export type ServiceEvent = Camel.EventRecord;
export interface EventPage extends Camel.EventListResponse {}
export type { EventStreamQuery, StreamInterruption, StreamOptions };
export type EventListQuery = NonNullable<OperationInput<'listEvents'>['query']>;

/** The organization's events, newest last. */
export class Events {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * One page, starting with the oldest that is kept or after an event (`after`). With filters a page may be short or
   * empty and still have a next one.
   */
  list(query: EventListQuery = {}, options?: RequestOptions): Reply<EventPage> {
    return this.#caller.call('listEvents', { query }, options);
  }

  /** All events up to now, newest last, page by page. */
  each(
    query: EventListQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<ServiceEvent, void, void> {
    return eachItem(({ cursor }) =>
      this.list(cursor === undefined ? query : { ...query, after: cursor }, options),
    );
  }

  /**
   * Events from now on, or after an event (`after`); never ends by itself. It resumes where it was after every
   * interruption, so that events arrive in order and none is missed. While a stream without filters is read,
   * this client's waits for jobs learn from it instead of asking the service for each.
   * @throws AuthenticationError when the key was revoked; AbortedError
   * @example
   * for await (const { type, subject } of client.events.stream({ type: ['job.finished'] })) done(subject.jobId);
   */
  stream(
    query: EventStreamQuery = {},
    options: StreamOptions = {},
  ): AsyncGenerator<ServiceEvent, void, void> {
    return leavable(async (left) => (await this.#caller.sending()).stream(query, options, left));
  }
}
