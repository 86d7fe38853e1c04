import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** What the server under test prints about itself. */
export interface ProcessSample {
  /** p99 of its event-loop delay since the last sample. */
  readonly loopP99Ms: number;
  /** Processor time since it started, user and system, all threads. */
  readonly cpuMs: number;
}

// Preloaded into the server under test: on SIGUSR2 it prints a sample.
if (isMainThread) {
  const resolution = 1;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage();
    const loopP99Ms = Number((histogram.percentile(99) / 1e6 - resolution).toFixed(2));
    const sample: ProcessSample = { loopP99Ms, cpuMs: (user + system) / 1000 };
    process.stdout.write(`${JSON.stringify(sample)}\n`);
    histogram.reset();
  });
}
