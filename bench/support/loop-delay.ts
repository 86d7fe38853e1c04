import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Preloaded into the server under test: on SIGUSR2 it prints the p99 of its event-loop delay, in ms.
if (isMainThread) {
  const resolution = 1;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  process.on('SIGUSR2', () => {
    process.stdout.write(`${(histogram.percentile(99) / 1e6 - resolution).toFixed(2)}\n`);
    histogram.reset();
  });
}
