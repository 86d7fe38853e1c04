import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createRequestTimes, type RequestTimes } from './request-times.ts';

export interface Metrics extends Pick<RequestTimes, 'answered'> {
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
  const requests = createRequestTimes();
  for (const reading of readings) registerReading(registry, reading);
  return {
    answered: requests.answered,
    render: async () => `${await registry.metrics()}${requests.text()}`,
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
