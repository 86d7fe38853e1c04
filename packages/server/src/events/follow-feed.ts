import type { EventFacts } from '../rules/events/event-access.ts';
import type { EventPosition, StoredEvent } from '../store/events/event-scripts.ts';
import { realTimers, type Timers } from '../timers.ts';
import { createBell } from '../waiting/bell.ts';
import type { EventFeed } from './event-feed.ts';

/** The heartbeat interval of a quiet feed. */
const HEARTBEAT_MS = 15_000;
/** Committed but not readable yet: an older transaction is still open, and its end sends no signal. */
const HELD_BACK_MS = 20;

export interface FollowOptions {
  readonly organizationId: number;
  /** Null: start with what happens from now on. */
  readonly after: EventPosition | null;
  readonly admits: (event: EventFacts) => boolean;
  /** Called before each step but the first; false ends it. */
  readonly stillAdmitted: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Events that the reader may see, or none: a heartbeat. The first step is a heartbeat, too. */
interface FeedStep {
  readonly events: readonly StoredEvent[];
  /** Where the feed has been read to. */
  readonly position: EventPosition;
}

/** Yields every event once and in order until `signal` aborts. The next read starts when the last step was taken. */
export async function* followFeed(
  feed: EventFeed,
  { organizationId, admits, signal, ...options }: FollowOptions,
  timers: Timers = realTimers,
): AsyncGenerator<FeedStep> {
  const bell = createBell(timers);
  const leave = feed.watch(organizationId, bell.ring);
  signal.addEventListener('abort', bell.ring);
  try {
    let position = options.after ?? (await feed.latest(organizationId));
    yield { events: [], position };
    let beat = timers.monotonic();
    while (!signal.aborted) {
      const { events, heldBack } = await feed.after(organizationId, position);
      position = events.at(-1) ?? position;
      const shown = events.filter(admits);
      const left = beat + HEARTBEAT_MS - timers.monotonic();
      // Asked after the read, so that nothing is told that happened after a revocation.
      const isStep = shown.length > 0 || left <= 0;
      if (isStep && !(await options.stillAdmitted())) return;
      if (shown.length > 0) yield { events: shown, position };
      if (left <= 0) {
        yield { events: [], position };
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
