import { buildOpenApi, INSTITUTIONS, OPERATIONS } from '@changgu/contract/schemas';
import type { SubmissionRules } from '../jobs/submission.ts';
import type { JobWaits } from '../jobs/wait.ts';
import type { Parts } from '../parts.ts';
import type { HttpApp } from './app.ts';
import { artifactRoutes } from './routes/artifacts.ts';
import { cryptoKeyRoutes } from './routes/crypto-key.ts';
import { documentationRoutes } from './routes/documentation.ts';
import { jobRoutes } from './routes/jobs.ts';
import { type MetricsAccess, metricsRoute } from './routes/metrics.ts';
import { systemRoutes, testClockRoute } from './routes/system.ts';

export interface RouteParts {
  readonly parts: Parts;
  readonly waits: JobWaits;
  readonly rules: SubmissionRules;
  /** Known once the server listens. */
  readonly publicBaseUrl: () => string;
  /** Null: no /metrics. */
  readonly metrics: MetricsAccess | null;
  /** Null: no test clock. */
  readonly advanceClock: ((seconds: number) => Promise<number>) | null;
}

/** Every route of the service, one file per resource. */
export function addRoutes(app: HttpApp, routes: RouteParts): void {
  const { parts, waits, rules, publicBaseUrl } = routes;
  const { store, vault, urlSigner, encryptionKeys, clock } = parts;
  systemRoutes(app, { clock, ping: () => store.ping() });
  jobRoutes(app, {
    store,
    waits,
    submissions: { store, vault, rules },
    results: { store, vault, urlSigner, publicBaseUrl },
  });
  artifactRoutes(app, { store, vault, urlSigner });
  cryptoKeyRoutes(app, encryptionKeys);
  documentationRoutes(app, async () =>
    buildOpenApi({
      operations: OPERATIONS,
      institutions: INSTITUTIONS,
      publicBaseUrl: publicBaseUrl(),
    }),
  );
  if (routes.metrics) metricsRoute(app, routes.metrics);
  if (routes.advanceClock) testClockRoute(app, routes.advanceClock);
}
