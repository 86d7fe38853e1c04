import { describe, expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { metricsRoute } from './metrics.ts';

function app(token: string | null) {
  const made = testApp();
  const metrics = createMetrics([
    { name: 'test_reading', help: 'A reading', label: 'pool', read: async () => ({ real: 3 }) },
  ]);
  metrics.answered('GET', '/v1/jobs/:job_id', 200, 0.004);
  metricsRoute(made, { load: async () => metrics, token });
  return made.fastify;
}

describe('metrics', () => {
  it('counts by route, never by path, and reads what is asked for', async () => {
    const { body } = await app(null).inject('/metrics');
    expect(body).toContain(
      'changgu_http_requests_total{method="GET",route="/v1/jobs/:job_id",status="200"} 1',
    );
    expect(body).toContain('test_reading{pool="real"} 3');
  });

  it('wants the token where there is one', async () => {
    const fastify = app('scrape');
    const get = (authorization: string) =>
      fastify.inject({ url: '/metrics', headers: { authorization } });
    expect((await get('')).statusCode).toBe(401);
    expect((await get('Bearer wrong')).statusCode).toBe(401);
    expect((await get('Bearer scrape')).statusCode).toBe(200);
  });
});
