import type { EventListResponse, EventRecord } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { eachItem } from '../paging.ts';
import type { Camelized } from '../wire-case.ts';

/** What has happened: ids, states, times and counts. */
export interface ServiceEvent extends Camelized<EventRecord> {}
export interface EventPage extends Camelized<EventListResponse> {}
export type EventListQuery = NonNullable<OperationInput<'listEvents'>['query']>;

/** What has happened in the organization, newest last. */
export class Events {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * One page, from the oldest that is kept or from what came `after` an event. With filters a page may be short or
   * empty and still have a next one.
   */
  list(query: EventListQuery = {}, options?: RequestOptions): Promise<EventPage> {
    return this.#caller.call('listEvents', { query }, options);
  }

  /** All events up to now, newest last, page by page. */
  each(
    query: EventListQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<ServiceEvent, void, void> {
    return eachItem((cursor) =>
      this.list({ ...query, ...(cursor === null ? {} : { after: cursor }) }, options),
    );
  }
}
