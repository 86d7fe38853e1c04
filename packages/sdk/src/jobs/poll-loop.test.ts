import { expect, it } from 'vitest';
import { AbortedError } from '../errors/transport-errors.ts';
import { JobChanges } from '../events/job-changes.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { Job } from './job.ts';
import { PollLoop, type PollReading } from './poll-loop.ts';

/** A loop beside a stream of events that is being read. */
function besideStream(read: () => Promise<PollReading>) {
  const clock = new VirtualClock();
  const changes = new JobChanges(clock);
  void changes.during(() => new Promise(() => {}));
  const signals: (AbortSignal | null)[] = [];
  const loop = new PollLoop({
    read,
    nextChange: () => {
      const signal = changes.next('job');
      signals.push(signal);
      return signal;
    },
    forgetChange: () => changes.tell('job'),
    clock,
    random: () => 0,
    logger: undefined,
    maxRetryAfterMs: 120_000,
    submittedAt: null,
  });
  const end = new Promise<void>((resolve) => {
    loop.join({ updated: () => {}, ended: () => resolve(), failed: () => resolve() });
  });
  return { end, signals };
}

it.each<[string, () => Promise<PollReading>]>([
  // Only its state matters here.
  [
    'has ended',
    async () => ({ job: { status: 'SUCCEEDED' } as Job, waited: false, traceId: null }),
  ],
  ['cannot be read', () => Promise.reject(new AbortedError(null))],
])('a job that %s is not looked for in the stream of events any longer', async (_, read) => {
  const { end, signals } = besideStream(read);
  await end;
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});
