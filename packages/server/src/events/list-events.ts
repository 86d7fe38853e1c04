import { LIMITS } from '@changgu/contract';
import type { EventListResponse } from '@changgu/contract/schemas';
import type { EventFacts } from '../rules/events/event-access.ts';
import type { EventPosition, StoredEvent } from '../store/events/event-scripts.ts';
import { type EventFeed, FEED_PAGE } from './event-feed.ts';
import { eventId } from './event-id.ts';
import { eventView } from './event-view.ts';

/** How many reads one filtered page may take, so that a rare event is not searched for through all of them. */
const MAX_READS = 50;

export interface EventQuery {
  readonly organizationId: number;
  readonly after: EventPosition | null;
  readonly limit?: number;
  readonly admits: (event: EventFacts) => boolean;
}

/** GET /v1/events as a page: from the oldest event that is left, or after a position. */
export async function listEvents(
  feed: Pick<EventFeed, 'after'>,
  { organizationId, after, limit = LIMITS.page.default, admits }: EventQuery,
  maxReads = MAX_READS,
): Promise<EventListResponse> {
  const items: StoredEvent[] = [];
  let position = after ?? { tx: 0, seq: 0 };
  for (let reads = 0; reads < maxReads; reads += 1) {
    const { events } = await feed.after(organizationId, position);
    for (const event of events) {
      if (items.length === limit) return page(items, position);
      position = event;
      if (admits(event)) items.push(event);
    }
    if (events.length < FEED_PAGE) return page(items, null);
  }
  return page(items, position);
}

function page(items: readonly StoredEvent[], next: EventPosition | null): EventListResponse {
  return { items: items.map(eventView), next_cursor: next && eventId(next) };
}
