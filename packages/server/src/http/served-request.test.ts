import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { operations } from '@changgu/contract/schemas';
import { expect, it } from 'vitest';
import { testApp } from '../../test/support/http-app.ts';
import { HEADERS } from '../../test/support/jobs-app.ts';
import { route } from './route.ts';

const REQUESTS = 1_000;
/** What else the process does in one round, such as compiling, does not change the middle one. */
const ROUNDS = 3;
/** A request with all that it reaches is over 4 kB; the client in this process leaves something, too. */
const MAX_BYTES_EACH = 2_500;

it('is gone after its answer, without waiting for a full collection of garbage', async () => {
  const app = testApp({ rateLimit: { limit: 10 * REQUESTS, windowSeconds: 60 } });
  route(app, operations.jobs.listJobs, async () => ({
    status: 200,
    body: { items: [], next_cursor: null },
  }));
  const url = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  const answerMany = async () => {
    for (let n = 0; n < REQUESTS; n += 1) {
      const [answer] = await once(get(`${url}/v1/jobs`, { agent, headers: HEADERS }), 'response');
      await once(answer.resume(), 'end');
    }
  };
  const collectYoung = youngCollector();

  await answerMany(); // Compiles and fills caches.
  const kept: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    collectYoung();
    const before = process.memoryUsage().heapUsed;
    await answerMany();
    collectYoung();
    kept.push((process.memoryUsage().heapUsed - before) / REQUESTS);
  }
  agent.destroy();
  await app.fastify.close();

  const middle = kept.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)];
  expect(middle).toBeLessThan(MAX_BYTES_EACH);
});

/** Collects what died young; twice, because an object is still young when it has survived once. */
function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  return () => {
    collect({ type: 'minor' });
    collect({ type: 'minor' });
  };
}
