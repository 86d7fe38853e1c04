import type { Store } from '../store/database.ts';
import type { EventPage, EventPosition } from '../store/events/event-scripts.ts';
import { createWaitingRoom } from '../waiting/waiting-room.ts';

/** Events that one read takes from the database. */
export const FEED_PAGE = 200;

/** The events of organizations, as all readers of one process read them. */
export interface EventFeed {
  /** What comes after a place. Readers who stand at the same place share the query. */
  after(organizationId: number, position: EventPosition): Promise<EventPage>;
  /** Where everything that can be read by now ends. */
  latest(organizationId: number): Promise<EventPosition>;
  /** Calls when there may be something new. Answers how to stop. */
  watch(organizationId: number, look: () => void): () => void;
  close(): void;
}

export function createEventFeed(store: Pick<Store, 'events' | 'onSignal'>): EventFeed {
  const room = createWaitingRoom(store, (signal) =>
    signal.kind === 'event' ? signal.organizationId : null,
  );
  const reading = new Map<string, Promise<EventPage>>();
  return {
    after(organizationId, { tx, seq }) {
      const key = `${organizationId} ${tx} ${seq}`;
      let page = reading.get(key);
      if (page === undefined) {
        page = store.events
          .after({ organizationId, tx, seq, limit: FEED_PAGE })
          .finally(() => reading.delete(key));
        reading.set(key, page);
      }
      return page;
    },
    latest: (organizationId) => store.events.latest(organizationId),
    watch: room.enter,
    close: room.close,
  };
}
