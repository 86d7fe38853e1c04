import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { createManualTimers } from '../engine/testing/manual-timers.ts';
import type { StoredEvent } from '../store/events/event-scripts.ts';
import type { EventFeed } from './event-feed.ts';
import { eventStream, type StreamOptions } from './event-stream.ts';

const PLACE = { tx: 0, seq: 1 };
const EVENT: StoredEvent = {
  tx: 0,
  seq: 2,
  envScope: 'sandbox',
  type: 'job.queued',
  jobId: 'job_1',
  accountLinkId: null,
  subject: {},
  data: {},
  at: 0,
};

/** Nothing happens. */
const quiet: EventFeed = {
  after: async () => ({ events: [], heldBack: false }),
  latest: async () => PLACE,
  watch: () => () => {},
  close: () => {},
};

/** One thing has happened. */
const busy: EventFeed = {
  ...quiet,
  after: async (_, { seq }) => ({ events: seq === 1 ? [EVENT] : [], heldBack: false }),
};

function open(options: Partial<StreamOptions> = {}, feed = quiet) {
  const timers = createManualTimers();
  const stream = eventStream(
    feed,
    {
      organizationId: 1,
      after: PLACE,
      admits: () => true,
      stillAdmitted: async () => true,
      signal: new AbortController().signal,
      ...options,
    },
    timers,
  );
  return { timers, stream };
}

/** Until it waits for time to pass. */
async function waiting(timers: ReturnType<typeof createManualTimers>): Promise<void> {
  while (timers.planned().length === 0) await new Promise(setImmediate);
}

describe('a stream of events', () => {
  it('is cut when its reader takes nothing for thirty seconds', async () => {
    const { timers, stream } = open();
    const cut = new Promise((resolve) => stream.once('close', resolve));
    stream.read(0);
    await waiting(timers);
    timers.pass(29_999);
    expect(stream.destroyed).toBe(false);
    timers.pass(1);
    await cut;
    expect(stream.destroyed).toBe(true);
  });

  it('ends at the next sign of life once its key is revoked', async () => {
    let admitted = true;
    const { timers, stream } = open({ stillAdmitted: async () => admitted });
    const frames: string[] = [];
    stream.on('data', (frame) => frames.push(String(frame)));
    await waiting(timers);
    timers.pass(15_000);
    while (frames.length < 2) await new Promise(setImmediate);
    admitted = false;
    await waiting(timers);
    timers.pass(15_000);
    await finished(stream);
    expect(frames).toHaveLength(2);
  });

  it('asks nothing while nothing happens that its reader is told of', async () => {
    let asked = 0;
    const stillAdmitted = async () => {
      asked += 1;
      return true;
    };
    for (const feed of [quiet, busy]) {
      const { timers, stream } = open({ stillAdmitted, admits: () => false }, feed);
      stream.on('data', () => {});
      await waiting(timers);
      timers.pass(14_999);
      expect(asked).toBe(0);
      stream.destroy();
    }
  });

  it('tells nothing that was read once its key was revoked (D98)', async () => {
    const { stream } = open({ stillAdmitted: async () => false }, busy);
    const frames: string[] = [];
    for await (const frame of stream) {
      frames.push(String(frame));
      if (frames.length === 2) break;
    }
    expect(frames).toEqual([expect.not.stringContaining('event: ')]);
  });
});
