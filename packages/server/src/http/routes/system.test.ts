import { expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { systemRoutes } from './system.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');
const UP = {
  status: 'ok',
  service: 'changgu',
  version: '2.0.0',
  time: '2026-11-21T09:00:00.000+09:00',
};

function health(ping: () => Promise<void>) {
  const app = testApp({ rateLimit: { limit: 1, windowSeconds: 60 } });
  systemRoutes(app, { clock: { realNow: () => NOW }, ping });
  return async (path: string) => {
    const answer = await app.fastify.inject(path);
    return [answer.statusCode, answer.json().error?.code ?? answer.json()];
  };
}

it('D131 D43 needs no credentials, tells nothing of the inside and counts for no limit', async () => {
  const ask = health(async () => {});
  for (const path of ['/health', '/health/live', '/health/ready', '/health']) {
    expect(await ask(path)).toEqual([200, UP]);
  }
});

it('D131 is 503 while the store is down; the process lives all the same', async () => {
  const ask = health(async () => {
    throw new ServiceError('SERVICE_UNAVAILABLE');
  });
  expect(await ask('/health')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await ask('/health/ready')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await ask('/health/live')).toEqual([200, UP]);
});
