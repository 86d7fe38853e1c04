import type { Store } from '../store/database.ts';
import type { QueueDepth } from '../store/queue/queue-depth.ts';
import type { Readings } from './metrics.ts';

const MAX_COUNTED = 10_000;

/** Queued and running work of all processes together, so every process reports the same numbers. */
export function queueReadings(store: {
  readonly queueDepth: Pick<Store['queueDepth'], 'read'>;
}): Readings[] {
  const read = oncePerScrape(() => store.queueDepth.read({ most: MAX_COUNTED }));
  const gauge = (name: string, help: string, of: (depth: QueueDepth) => number): Readings => ({
    name,
    help,
    label: 'env_scope',
    read: async () =>
      Object.fromEntries((await read()).map((depth) => [depth.envScope, of(depth)])),
  });
  return [
    gauge(
      'changgu_queue_queued_jobs',
      `Jobs that wait, counted up to ${MAX_COUNTED}`,
      ({ queued }) => queued,
    ),
    gauge('changgu_queue_running_jobs', 'Jobs that any process runs', ({ running }) => running),
    gauge(
      'changgu_queue_oldest_queued_seconds',
      'How long the oldest queued job has waited; 0 when none waits',
      ({ oldestQueuedSeconds }) => oldestQueuedSeconds,
    ),
  ];
}

/** All gauges of a scrape share one query. If the store is unavailable they are omitted, and the rest is reported. */
function oncePerScrape(
  readDepths: () => Promise<readonly QueueDepth[]>,
): () => Promise<readonly QueueDepth[]> {
  let reading: Promise<readonly QueueDepth[]> | undefined;
  return () => {
    reading ??= readDepths()
      .catch(() => [])
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
}
