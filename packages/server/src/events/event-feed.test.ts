import { expect, it } from 'vitest';
import type { EventPage, StoredEvent } from '../store/events/event-scripts.ts';
import type { Signal } from '../store/transactions/script.ts';
import { createEventFeed } from './event-feed.ts';

const PLACE = { tx: 0, seq: 0 };
const EVENT: StoredEvent = {
  tx: 1,
  seq: 1,
  envScope: 'sandbox',
  type: 'job.queued',
  jobId: null,
  accountLinkId: null,
  subject: {},
  data: {},
  at: 0,
};

function openFeed() {
  const answers: ((page: EventPage) => void)[] = [];
  const listeners = new Set<(signal: Signal) => void>();
  const hear = (signal: Signal) => {
    for (const listener of listeners) listener(signal);
  };
  const feed = createEventFeed({
    events: {
      after: () => new Promise((resolve) => answers.push(resolve)),
      latest: async () => PLACE,
    },
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  return { feed, answers, hear };
}

it.each(['event', 'changed'] as const)(
  'reads anew for those who come after a signal (%s)',
  async (kind) => {
    const { feed, answers, hear } = openFeed();
    const before = feed.after(1, PLACE);
    expect(feed.after(1, PLACE)).toBe(before);
    const elsewhere = feed.after(2, PLACE);
    hear(kind === 'event' ? { kind, organizationId: 1 } : { kind });
    const after = feed.after(1, PLACE);
    expect(answers).toHaveLength(3);
    // The first read is answered later than the second was asked for, and must not make it forgotten.
    answers[0]?.({ events: [], heldBack: false });
    await before;
    expect(feed.after(1, PLACE)).toBe(after);
    answers[2]?.({ events: [EVENT], heldBack: false });
    expect((await after).events).toEqual([EVENT]);
    answers[1]?.({ events: [], heldBack: false });
    expect((await elsewhere).events).toEqual([]);
  },
);
