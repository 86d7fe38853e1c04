import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metrics } from '../../observability/metrics.ts';
import { ServiceError } from '../../service-error.ts';
import type { HttpApp } from '../app.ts';

/**
 * GET /metrics for Prometheus. With a token it wants `Authorization: Bearer`; without one it is open,
 * which only `dev` on loopback is.
 */
export function metricsRoute(
  app: HttpApp,
  metrics: () => Promise<Metrics>,
  token: string | undefined,
): void {
  app.routes.add('GET', '/metrics');
  app.fastify.get('/metrics', async (request, reply) => {
    if (token !== undefined && !sameText(request.headers.authorization ?? '', `Bearer ${token}`)) {
      reply.header('www-authenticate', 'Bearer realm="changgu"');
      throw new ServiceError('AUTH_INVALID_CREDENTIALS');
    }
    const { contentType, render } = await metrics();
    return reply.type(contentType).send(await render());
  });
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
