import { expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { storeUnavailable } from '../../store/transactions/failure.ts';
import { systemRoutes } from './system.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');
const UP = {
  status: 'ok',
  service: 'changgu',
  version: '2.0.0',
  time: '2026-11-21T09:00:00.000+09:00',
};

function health(
  ping: () => Promise<number>,
  pingWrites: () => Promise<void> = async () => void (await ping()),
  monotonic = () => 0,
) {
  const app = testApp({ rateLimit: { limit: 1, windowSeconds: 60 } });
  systemRoutes(app, { clock: { realNow: () => NOW }, ping, pingWrites, monotonic });
  return async (path: string) => {
    const answer = await app.fastify.inject(path);
    return [answer.statusCode, answer.json().error?.code ?? answer.json()];
  };
}

it('needs no credentials, reveals nothing internal and counts towards no limit (D131, D43)', async () => {
  const ask = health(async () => NOW);
  for (const path of ['/health', '/health/live', '/health/ready', '/health']) {
    expect(await ask(path)).toEqual([200, UP]);
  }
});

it('is 503 while the store is down, although the process lives (D131)', async () => {
  const ask = health(async () => {
    throw new ServiceError('SERVICE_UNAVAILABLE');
  });
  expect(await ask('/health')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await ask('/health/ready')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await ask('/health/live')).toEqual([200, UP]);
});

it('is not ready while nothing can be written, and queries the database at most once a second', async () => {
  let asked = 0;
  const ask = health(
    async () => NOW,
    async () => {
      asked += 1;
      throw new ServiceError('SERVICE_UNAVAILABLE');
    },
  );
  expect(await ask('/health')).toEqual([200, UP]);
  expect(await ask('/health/ready')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await ask('/health/ready')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(asked).toBe(1);
});

it('is ready again a second after the database is, although the clock was set back (D133)', async () => {
  let passed = 0;
  let full = true;
  const pingWrites = async () => {
    if (full) throw new ServiceError('SERVICE_UNAVAILABLE');
  };
  const ask = health(
    async () => NOW,
    pingWrites,
    () => passed,
  );
  expect(await ask('/health/ready')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  full = false;
  passed = 1_000;
  expect(await ask('/health/ready')).toEqual([200, UP]);
});

it('says that the disk is full', async () => {
  const app = testApp();
  const full = async () => {
    throw storeUnavailable(Object.assign(new Error(), { errcode: 13 }));
  };
  systemRoutes(app, { clock: { realNow: () => NOW }, ping: async () => NOW, pingWrites: full });
  const answer = await app.fastify.inject({
    url: '/health/ready',
    headers: { 'accept-language': 'en' },
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.json().error.message).toContain('no disk space');
});
