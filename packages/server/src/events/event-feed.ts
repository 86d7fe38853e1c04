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
