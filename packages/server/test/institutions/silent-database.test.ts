import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { type FreezingProxy, startFreezingProxy } from '../../src/store/testing/freezing-proxy.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const READ = 'tax_portal.s1.user_info';
const APPLICATION = 'tax_portal.c1.vat_standard';
const PATIENT = { timeout: 120_000 };
/** Twenty times what it waits for its jobs, and far less than the portal takes. */
const PATIENCE_MS = 40_000;

let database: TestDatabase;
let proxy: FreezingProxy;
let real: RealTestServer;
let worker: WorkerProcess;
beforeEach(async () => {
  database = await createPostgresDatabase();
  proxy = await startFreezingProxy(database.url);
  real = await startRealTestServer({
    DATABASE_URL: database.url,
    ROLE: 'api',
    LEASE_SECONDS: '6',
  });
  worker = await startWorkerProcess(real, {
    CHANGGU_DATABASE_URL: proxy.url,
    CHANGGU_SHUTDOWN_SECONDS: '2',
  });
  await real.client.jobs.run({ action: 'tax_portal.s1.login' });
}, 60_000);
afterEach(async () => {
  await worker.kill();
  await real[Symbol.asyncDispose]();
  proxy.close();
  await database.remove();
});

async function degrade(latencyMs: number): Promise<void> {
  const answer = await fetch(`${real.simulators.controlUrl}/tax_portal/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'DEGRADED', latency_ms: latencyMs, error_rate: 0 }),
  });
  expect(answer.ok).toBe(true);
}

async function whenAsked(path: string): Promise<void> {
  const asked = async () =>
    (await real.log('tax_portal')).requests.some((request) => request.path === path);
  while (!(await asked())) await pause(10);
}

it(
  'a server that is told to stop ends in its time although its database is silent (D03, D132)',
  PATIENT,
  async () => {
    await degrade(600_000);
    const { length } = (await real.log('tax_portal')).requests;
    const handle = await real.client.jobs.submit({ action: READ });
    while ((await real.log('tax_portal')).requests.length === length) await pause(10);
    proxy.silence();
    const { code, log } = await worker.stop({ withinMs: PATIENCE_MS });
    const lines = log.map((line) => JSON.parse(line).msg);
    expect(lines).toContain('the jobs of a stopping worker could not be released');
    expect([code, lines.at(-1)]).toEqual([0, 'stopped']);

    await degrade(0);
    worker = await startWorkerProcess(real, { CHANGGU_DATABASE_URL: database.url });
    await handle.result();
    expect((await real.client.jobs.get(handle.id)).retryCount).toBe(1);
  },
);

it(
  'a server whose connections go silent while it stops writes down what it has done (D03)',
  PATIENT,
  async () => {
    // Well within the time to stop, with the answer after it.
    await degrade(500);
    const handle = await real.client.jobs.submit({ action: APPLICATION });
    await whenAsked('/certificates/submit');
    proxy.freeze();
    const { code, log } = await worker.stop({ withinMs: PATIENCE_MS });
    expect([code, JSON.parse(log.at(-1) ?? '').msg]).toEqual([0, 'stopped']);
    const { status, retryCount } = await real.client.jobs.get(handle.id);
    expect([status, retryCount]).toEqual(['SUCCEEDED', 0]);
  },
);
