import { sameText } from '../../crypto/same-secret.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';

export interface MetricsAccess {
  readonly load: () => Promise<Metrics>;
  /** The token that `Authorization: Bearer` must carry; null leaves the metrics open. */
  readonly token: string | null;
}

/** GET /metrics, for Prometheus. */
export function metricsRoute(app: HttpApp, { load, token }: MetricsAccess): void {
  app.routes.add('GET', '/metrics');
  app.fastify.get('/metrics', async (request, reply) => {
    // The scheme may be in any case.
    const sent = (request.headers.authorization ?? '').replace(/^bearer +/i, 'Bearer ');
    if (token !== null && !sameText(sent, `Bearer ${token}`)) {
      await app.gate.failed(request);
      throw new ServiceError('AUTH_INVALID_CREDENTIALS');
    }
    const { contentType, render } = await load();
    return reply.type(contentType).send(await render());
  });
}
