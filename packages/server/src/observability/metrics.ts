import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** One answered request; `route` is the pattern, never the path. */
  answered(method: string, route: string, status: number, seconds: number): void;
  /** The text that Prometheus reads. */
  readonly render: () => Promise<string>;
  readonly contentType: string;
}

/** Numbers read on each scrape, for example from the store. */
export interface Readings {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: () => Promise<Readonly<Record<string, number>>>;
}

/** A separate registry, because several servers may run in one process (tests). */
export function createMetrics(readings: readonly Readings[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'changgu_http_requests_total',
    help: 'Answered requests',
    labelNames,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'changgu_http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  for (const reading of readings) registerReading(registry, reading);
  return {
    answered(method, route, status, elapsed) {
      requests.inc({ method, route, status });
      seconds.observe({ method, route }, elapsed);
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function registerReading(registry: Registry, { name, help, label, read }: Readings): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [value, count] of Object.entries(await read()))
        this.set({ [label]: value }, count);
    },
  });
}
