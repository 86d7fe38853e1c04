import { Readable } from 'node:stream';
import { realTimers, type Timers } from '../engine/timers.ts';
import type { EventFacts } from '../rules/events/event-access.ts';
import type { EventPosition, StoredEvent } from '../store/events/event-scripts.ts';
import { createBell } from '../waiting/bell.ts';
import type { EventFeed } from './event-feed.ts';
import { eventId } from './event-id.ts';
import { eventView } from './event-view.ts';

/** The heartbeat interval of a quiet stream. */
export const HEARTBEAT_MS = 15_000;
/** A client that reads nothing for this long is disconnected; it resumes where it was when it returns. */
const STALLED_MS = 30_000;
/** Committed but not readable yet: an older transaction is still open, and its end sends no signal. */
const HELD_BACK_MS = 20;

export interface StreamOptions {
  readonly organizationId: number;
  /** Null: start with what happens from now on. */
  readonly after: EventPosition | null;
  readonly admits: (event: EventFacts) => boolean;
  /** Called with every heartbeat; false ends the stream. */
  readonly stillAdmitted: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

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
  const { organizationId, admits, signal } = options;
  const bell = createBell(timers);
  const leave = feed.watch(organizationId, bell.ring);
  signal.addEventListener('abort', bell.ring);
  try {
    let position = options.after ?? (await feed.latest(organizationId));
    yield place(position);
    let beat = timers.monotonic();
    while (!signal.aborted) {
      const { events, heldBack } = await feed.after(organizationId, position);
      position = events.at(-1) ?? position;
      const shown = events.filter(admits);
      if (shown.length > 0) yield shown.map(frameOf).join('');
      const left = beat + HEARTBEAT_MS - timers.monotonic();
      if (left <= 0) {
        if (!(await options.stillAdmitted())) return;
        yield place(position);
        beat = timers.monotonic();
      } else if (events.length === 0) {
        await bell.heard(heldBack ? Math.min(left, HELD_BACK_MS) : left);
      }
    }
  } finally {
    leave();
    signal.removeEventListener('abort', bell.ring);
  }
}

function frameOf(event: StoredEvent): string {
  const view = eventView(event);
  return `id: ${view.event_id}\nevent: ${view.type}\ndata: ${JSON.stringify(view)}\n\n`;
}

function place(position: EventPosition): string {
  return `id: ${eventId(position)}\n\n`;
}
