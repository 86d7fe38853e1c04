import type { ServerConfig } from '../config/server-config.ts';
import type { Worker } from '../engine/worker/worker.ts';
import type { AppOptions } from '../http/app.ts';
import type { Metrics } from '../observability/metrics.ts';
import { queueReadings } from '../observability/queue-readings.ts';
import type { Store } from '../store/database.ts';

/** In `serve` only with a token; in `dev`, on loopback, open. */
export function metricsAccess({ mode, metricsToken }: ServerConfig, load: () => Promise<Metrics>) {
  if (metricsToken !== undefined) return { load, token: metricsToken };
  return mode === 'dev' ? { load, token: null } : null;
}

/** Counting begins with the first reading or a moment after the start: the library is slow to load. */
export function createMetricsLoader(store: Pick<Store, 'queueDepth'>, worker: () => Worker | null) {
  let loading: Promise<Metrics> | undefined;
  let metrics: Metrics | undefined;
  const running = {
    name: 'changgu_jobs_running',
    help: 'Jobs that this process runs now',
    label: 'pool',
    read: async () => worker()?.running() ?? {},
  };
  async function load(): Promise<Metrics> {
    loading ??= import('../observability/metrics.ts').then(({ createMetrics }) =>
      createMetrics([running, ...queueReadings(store)]),
    );
    metrics = await loading;
    return metrics;
  }
  const answered: AppOptions['onAnswered'] = ({ method }, { statusCode, elapsedTime }, route) => {
    if (metrics === undefined) load().catch(() => {});
    metrics?.answered(method, route ?? 'unknown', statusCode, elapsedTime / 1_000);
  };
  return { load, answered };
}
