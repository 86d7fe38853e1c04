import { Readable } from 'node:stream';
import type { EventPosition, StoredEvent } from '../store/events/event-scripts.ts';
import { realTimers, type Timers } from '../timers.ts';
import type { EventFeed } from './event-feed.ts';
import { eventId } from './event-id.ts';
import { eventView } from './event-view.ts';
import { type FollowOptions, followFeed } from './follow-feed.ts';

/** A client that reads nothing for this long is disconnected; it resumes where it was when it returns. */
const STALLED_MS = 30_000;
export type StreamOptions = FollowOptions;

/**
 * Server-sent events. At most one read is buffered: the next one starts when the client has taken the last.
 * Frames with only an id give the client its position while its filters match nothing.
 */
export function eventStream(
  feed: EventFeed,
  options: StreamOptions,
  timers: Timers = realTimers,
): Readable {
  const stream = Readable.from(endingWhenStalled(frames(feed, timers, options)), {
    objectMode: false,
    highWaterMark: 1,
  });
  async function* endingWhenStalled(source: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const frame of source) {
      const cancel = timers.after(STALLED_MS, () => stream.destroy());
      try {
        yield frame;
      } finally {
        cancel();
      }
    }
  }
  return stream;
}

async function* frames(
  feed: EventFeed,
  timers: Timers,
  options: StreamOptions,
): AsyncGenerator<string> {
  for await (const { events, position } of followFeed(feed, options, timers)) {
    yield events.length > 0 ? events.map(frameOf).join('') : place(position);
  }
}

function frameOf(event: StoredEvent): string {
  const view = eventView(event);
  return `id: ${view.event_id}\nevent: ${view.type}\ndata: ${JSON.stringify(view)}\n\n`;
}

function place(position: EventPosition): string {
  return `id: ${eventId(position)}\n\n`;
}
