import { type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const JOBS = 60;
/** Set CHANGGU_TEST_SEED to repeat a failure. */
const SEED = Number(process.env.CHANGGU_TEST_SEED ?? Date.now() % 2 ** 31);

let server: TestServer;
let receiver: WebhookReceiver;
let worker: WorkerProcess;
let simulators: Simulators;

beforeAll(async () => {
  // The workers run as `serve`, where loopback is refused like every private network.
  process.env.CHANGGU_WEBHOOK_NETWORKS = '127.0.0.0/8';
  simulators = await startSimulators({ now: Date.now });
  server = await startTestServer({ env: { ROLE: 'api', RATE_LIMIT: '100000/60' } });
  receiver = await startReceiver();
  worker = await startWorkerProcess({ server, simulators });
});
afterAll(async () => {
  delete process.env.CHANGGU_WEBHOOK_NETWORKS;
  await worker.kill();
  await receiver.close();
  await simulators.close();
  await server[Symbol.asyncDispose]();
});

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function createWebhook(): Promise<void> {
  const { email, password } = server.console;
  const login = await server.call('POST', '/v1/auth/login', { body: { email, password } });
  const answer = await server.call('POST', '/v1/webhooks', {
    headers: { authorization: `Bearer ${login.body.access_token}` },
    body: { url: receiver.url, event_types: ['job.queued'], env_scope: 'sandbox' },
  });
  expect(answer.status).toBe(201);
}

it(`a receiver that fails and a sender that is killed miss no event (seed ${SEED})`, async () => {
  const random = randomFrom(SEED);
  const taken = new Set<string>();
  const failed = new Set<string>();
  receiver.answer = (response, { id }) => {
    // Each fails at most once, for the second retry is five minutes away.
    if (!failed.has(id) && random() < 0.2) {
      failed.add(id);
      response.destroy();
      return;
    }
    taken.add(id);
    response.writeHead(204).end();
  };
  await createWebhook();
  const killAt = Math.floor(random() * JOBS);
  for (let n = 0; n < JOBS; n += 1) {
    const { status } = await server.call('POST', '/v1/jobs', {
      key: `kill-${n}`,
      body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
    });
    expect(status).toBe(202);
    if (n === killAt) {
      await receiver.received(Math.min(1, n));
      await worker.kill();
      worker = await startWorkerProcess({ server, simulators });
    }
  }
  const { items } = (await server.call('GET', '/v1/events?type=job.queued&limit=100')).body;
  const ids: string[] = items.map((item: { event_id: string }) => item.event_id);
  expect(ids).toHaveLength(JOBS);
  await vi.waitFor(() => expect(ids.filter((id) => !taken.has(id))).toEqual([]), 50_000);
  expect(failed.size).toBeGreaterThan(0);
});
