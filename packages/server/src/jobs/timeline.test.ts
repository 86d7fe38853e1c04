import { expect, it } from 'vitest';
import type { TimelineFacts } from '../store/queue/job-reads.ts';
import { timelineEvents } from './timeline.ts';

const step = (message: string, at: number) => ({
  kind: 'step',
  at,
  message,
  durationMs: 10,
  upstreamStatus: null,
});

function timelineOf(...events: TimelineFacts['events']): TimelineFacts {
  return {
    acceptedAt: 1_000,
    startedAt: 1_000,
    finishedAt: 2_000,
    status: 'SUCCEEDED',
    error: null,
    waitedBehind: 0,
    events,
  };
}

it('keeps steps in their order where an earlier one was written more slowly (D138)', () => {
  const events = timelineEvents(
    timelineOf(step('first', 1_100), step('second', 1_640), step('third', 1_600)),
    'en',
  );
  expect(events.map(({ message, at }) => [message, at])).toEqual([
    [null, 1_000],
    [null, 1_000],
    ['first', 1_100],
    ['second', 1_600],
    ['third', 1_600],
    ['SUCCEEDED', 2_000],
  ]);
});

it('sorts a retry between the steps before and after it (D138)', () => {
  const retry = { ...step('', 1_300), kind: 'retry', message: null };
  const events = timelineEvents(
    timelineOf(retry, step('before', 1_200), step('after', 1_400)),
    'en',
  );
  expect(events.map(({ kind }) => kind)).toEqual([
    'accepted',
    'claimed',
    'step',
    'retry',
    'step',
    'ended',
  ]);
});
