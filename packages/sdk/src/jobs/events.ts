import { isEndState } from '@changgu/contract';
import { AbortedError } from '../errors/transport-errors.ts';
import { Channel } from './channel.ts';
import type { Job } from './job.ts';
import { isNews } from './job-news.ts';
import type { PollLoop } from './poll-loop.ts';

/** A poll loop's states as an iterator: each change once, the end last. Stops when the reader leaves. */
export async function* jobEvents(
  loop: PollLoop,
  signal: AbortSignal | undefined,
  left: AbortSignal,
  note: (error: unknown) => unknown,
): AsyncGenerator<Job, void, void> {
  if (signal?.aborted) throw note(new AbortedError(signal.reason));
  const known = loop.latest;
  if (known && isEndState(known.status)) {
    yield known;
    return;
  }
  const channel = new Channel<Job>();
  let last: Job | null = null;
  const onAbort = () => channel.close({ error: note(new AbortedError(signal?.reason)) });
  signal?.addEventListener('abort', onAbort, { once: true });
  left.addEventListener('abort', () => channel.close(), { once: true });
  const leave = loop.join({
    updated: (job) => {
      if (isNews(last, job)) channel.push(job);
      last = job;
    },
    ended: () => channel.close(),
    failed: (error) => channel.close({ error: note(error) }),
  });
  try {
    yield* channel.read();
  } finally {
    leave();
    signal?.removeEventListener('abort', onAbort);
  }
}
