import { describe, expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { queueReadings } from '../../observability/queue-readings.ts';
import { ServiceError } from '../../rules/service-error.ts';
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

  it('reads the queue once per scrape, and omits it when the store is unavailable', async () => {
    const made = testApp();
    let asked = 0;
    const depth = {
      envScope: 'real_test',
      queued: 7,
      running: 2,
      oldestQueuedSeconds: 1.5,
    } as const;
    const read = async () => {
      asked += 1;
      if (asked > 1) throw new ServiceError('SERVICE_UNAVAILABLE');
      return [depth];
    };
    const readings = queueReadings({ queueDepth: { read } });
    const metrics = createMetrics(readings);
    metricsRoute(made, { load: async () => metrics, token: null });
    const { body } = await made.fastify.inject('/metrics');
    expect(asked).toBe(1);
    expect(body).toContain('changgu_queue_queued_jobs{env_scope="real_test"} 7');
    expect(body).toContain('changgu_queue_running_jobs{env_scope="real_test"} 2');
    expect(body).toContain('changgu_queue_oldest_queued_seconds{env_scope="real_test"} 1.5');
    const away = await made.fastify.inject('/metrics');
    expect(away.statusCode).toBe(200);
    expect(away.body).not.toContain('changgu_queue_queued_jobs{');
  });

  it('requires the token where one is configured', async () => {
    const fastify = app('scrape');
    const get = (authorization: string) =>
      fastify.inject({ url: '/metrics', headers: { authorization } });
    expect((await get('')).statusCode).toBe(401);
    expect((await get('Bearer wrong')).statusCode).toBe(401);
    expect((await get('scrape')).statusCode).toBe(401);
    expect((await get('Bearer scrape')).statusCode).toBe(200);
    expect((await get('bearer scrape')).statusCode).toBe(200);
  });

  it('refuses an address after 300 wrong tokens, but never the right one (D43)', async () => {
    const limited: unknown[] = [];
    const made = testApp({ onLimited: async ({ address }) => void limited.push(address) });
    const load = async () => createMetrics([]);
    metricsRoute(made, { load, token: 'scrape' });
    const statusWith = async (authorization: string) =>
      (await made.fastify.inject({ url: '/metrics', headers: { authorization } })).statusCode;
    for (let n = 0; n < 300; n++) expect(await statusWith(`Bearer guess-${n}`)).toBe(401);
    expect(await statusWith('Bearer another')).toBe(429);
    expect(await statusWith('Bearer scrape')).toBe(200);
    expect(limited).toEqual(['127.0.0.1']);
  });
});
