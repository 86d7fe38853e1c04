import { join } from 'node:path';
import { type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ReceiverProcess, startReceiverProcess } from '../support/receiver-process.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const JOBS = 60;
/** Set CHANGGU_TEST_SEED to repeat a failure. */
const SEED = Number(process.env.CHANGGU_TEST_SEED ?? Date.now() % 2 ** 31);

let server: TestServer;
let receiver: ReceiverProcess;
let worker: WorkerProcess;
let simulators: Simulators;

beforeAll(async () => {
  // The workers run as `serve`, where loopback is refused like every private network.
  process.env.CHANGGU_WEBHOOK_NETWORKS = '127.0.0.0/8';
  simulators = await startSimulators({ now: Date.now });
  server = await startTestServer({ env: { ROLE: 'api', RATE_LIMIT: '100000/60' } });
  receiver = await startReceiverProcess(join(server.dataDir, 'taken'));
  worker = await startWorkerProcess({ server, simulators });
});
afterAll(async () => {
  delete process.env.CHANGGU_WEBHOOK_NETWORKS;
  await worker.kill();
  await receiver.kill();
  await simulators.close();
  await server[Symbol.asyncDispose]();
});

async function createWebhook(): Promise<void> {
  const { email, password } = server.console;
  const login = await server.call('POST', '/v1/auth/login', { body: { email, password } });
  const answer = await server.call('POST', '/v1/webhooks', {
    headers: { authorization: `Bearer ${login.body.access_token}` },
    body: { url: receiver.url, event_types: ['job.queued'], env_scope: 'sandbox' },
  });
  expect(answer.status).toBe(201);
}

async function queuedIds(): Promise<string[]> {
  const { items } = (await server.call('GET', '/v1/events?type=job.queued&limit=100')).body;
  return items.map((item: { event_id: string }) => item.event_id);
}

async function takenIds(): Promise<string[]> {
  return (await receiver.taken()).map(({ id }) => id);
}

async function submit(n: number): Promise<void> {
  const { status } = await server.call('POST', '/v1/jobs', {
    key: `kill-${n}`,
    body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
  });
  expect(status).toBe(202);
}

it(`a receiver and a sender that are killed miss no event (seed ${SEED})`, async () => {
  await createWebhook();
  const early = 1 + (SEED % 25);
  const late = 31 + (Math.floor(SEED / 25) % 25);
  const [receiverDiesAt, senderDiesAt] = SEED % 2 === 0 ? [early, late] : [late, early];
  for (let n = 0; n < JOBS; n += 1) {
    await submit(n);
    if (n === receiverDiesAt) {
      await vi.waitFor(async () => expect(await takenIds()).not.toEqual([]), 20_000);
      await receiver.kill();
    }
    // Back before a second attempt is due: the one after that is five minutes away.
    if (n === receiverDiesAt + 3) await receiver.restart();
    if (n === senderDiesAt) {
      await worker.kill();
      worker = await startWorkerProcess({ server, simulators });
    }
  }
  const ids = await queuedIds();
  expect(ids).toHaveLength(JOBS);
  await vi.waitFor(async () => {
    const taken = new Set(await takenIds());
    expect(ids.filter((id) => !taken.has(id))).toEqual([]);
  }, 50_000);
});
