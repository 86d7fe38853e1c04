import type { Store } from '../store/database.ts';
import type { EventPage, EventPosition } from '../store/events/event-scripts.ts';
import { createWaitingRoom } from '../waiting/waiting-room.ts';

/** The number of events per database read. */
export const FEED_PAGE = 200;

/** The events of organizations, shared by all readers of one process. */
export interface EventFeed {
  /** Events after a position. Readers at the same position share the query. */
  after(organizationId: number, position: EventPosition): Promise<EventPage>;
  /** The position after the last event that can be read now. */
  latest(organizationId: number): Promise<EventPosition>;
  /** Calls back when there may be new events. Returns how to unsubscribe. */
  watch(organizationId: number, look: () => void): () => void;
  close(): void;
}

export function createEventFeed(store: Pick<Store, 'events' | 'onSignal'>): EventFeed {
  const reading = new Map<number, Map<string, Promise<EventPage>>>();
  // Before the readers are told: a read under way may not see what they are told of.
  const stopListening = store.onSignal((signal) => {
    if (signal.kind === 'event') reading.delete(signal.organizationId);
    else if (signal.kind === 'changed') reading.clear();
  });
  const room = createWaitingRoom(store, (signal) =>
    signal.kind === 'event' ? signal.organizationId : null,
  );

  function pagesOf(organizationId: number): Map<string, Promise<EventPage>> {
    const pages = reading.get(organizationId) ?? new Map();
    reading.set(organizationId, pages);
    return pages;
  }

  return {
    after(organizationId, { tx, seq }) {
      const pages = pagesOf(organizationId);
      const key = `${tx} ${seq}`;
      let page = pages.get(key);
      if (page === undefined) {
        page = store.events.after({ organizationId, tx, seq, limit: FEED_PAGE }).finally(() => {
          pages.delete(key);
          if (pages.size === 0 && reading.get(organizationId) === pages) {
            reading.delete(organizationId);
          }
        });
        pages.set(key, page);
      }
      return page;
    },
    latest: (organizationId) => store.events.latest(organizationId),
    watch: room.enter,
    close() {
      stopListening();
      room.close();
    },
  };
}
