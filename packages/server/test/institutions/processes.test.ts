import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../support/job-failure.ts';
import { realData } from '../support/real-data.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const APPLICATION = 'tax_portal.c1.vat_standard';
/** Long enough to ask for more before the portal answers. */
const SLOW_MS = 2_000;
/** It answers no one while a test lasts. */
const SILENT_MS = 600_000;
/** So long that a busy machine lets no lease run out by itself; tests end it. */
const LEASE_SECONDS = '120';

let real: RealTestServer;
let workers: WorkerProcess[] = [];
beforeEach(async () => {
  real = await startRealTestServer({ ROLE: 'api', LEASE_SECONDS });
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  workers = [];
  await real[Symbol.asyncDispose]();
});

async function startWorker(): Promise<WorkerProcess> {
  const worker = await startWorkerProcess(real, { CHANGGU_LEASE_SECONDS: LEASE_SECONDS });
  workers.push(worker);
  return worker;
}

/** How long the tax portal takes for each request that comes from now on. */
async function slow(latencyMs: number): Promise<void> {
  const answer = await fetch(`${real.simulators.controlUrl}/tax_portal/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'DEGRADED', latency_ms: latencyMs, error_rate: 0 }),
  });
  expect(answer.ok).toBe(true);
}

/** How often the portal was asked for a path so far; requests under way count. */
async function asked(path: string): Promise<number> {
  const { requests } = await real.log('tax_portal');
  return requests.filter((request) => request.path === path).length;
}

async function whenAsked(path: string): Promise<void> {
  while ((await asked(path)) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** As if its worker had died long ago. */
function endLeases(): void {
  const database = new DatabaseSync(join(real.server.dataDir, 'changgu.db'), { timeout: 5_000 });
  database.exec('update jobs set lease_until = 1 where lease_until is not null');
  database.close();
}

async function applications(): Promise<number> {
  const action = 'tax_portal.c1.certificates_list';
  const { data } = await real.client.jobs.run({ action });
  return realData(data).total_count;
}

describe('several processes', () => {
  it('two workers, one link, 50 jobs: never two sessions at once (R29)', {
    timeout: 240_000,
  }, async () => {
    await Promise.all([startWorker(), startWorker()]);
    const accountLinkId = await real.linkLogin('bank_a', 'onlyone', 'demo1234!');
    const submitted = await Promise.all(
      Array.from({ length: 50 }, () =>
        real.client.jobs.submit({ action: 'bank_a.accounts.list', accountLinkId }),
      ),
    );
    const results = await Promise.all(submitted.map((handle) => handle.result()));
    expect(results.every(({ data }) => data !== null)).toBe(true);
    const { sessions, max_concurrent_sessions } = await real.log('bank_a');
    expect(sessions.filter(({ login }) => login === 'onlyone')).toHaveLength(50);
    expect(max_concurrent_sessions.by_login.onlyone).toBe(1);
    expect(sessions.map(({ ended_by }) => ended_by)).not.toContain('second_login');
  });

  it('killed before the point of no return: another worker finishes it (R130)', {
    timeout: 240_000,
  }, async () => {
    const first = await startWorker();
    await real.client.jobs.run({ action: 'tax_portal.s1.login' });
    const before = await applications();
    await slow(SLOW_MS);
    const handle = await real.client.jobs.submit({ action: APPLICATION });
    await whenAsked('/certificates/apply');
    await slow(SILENT_MS);
    await whenAsked('/certificates/confirm');
    const started = (await real.client.jobs.get(handle.id)).startedAt;
    await first.kill();
    await slow(0);
    endLeases();
    await startWorker();
    expect(await handle.result()).toMatchObject({ data: { status: '발급완료' } });
    const job = await real.client.jobs.get(handle.id);
    expect(job).toMatchObject({ retryCount: 1, startedAt: started });
    expect(await asked('/certificates/submit')).toBe(1);
    expect(await applications()).toBe(before + 1);
  });

  it('killed after it: never run again, outcome unconfirmed (R28, R130)', {
    timeout: 240_000,
  }, async () => {
    const first = await startWorker();
    await real.client.jobs.run({ action: 'tax_portal.s1.login' });
    await slow(SLOW_MS);
    const handle = await real.client.jobs.submit({ action: APPLICATION });
    await whenAsked('/certificates/confirm');
    await slow(SILENT_MS);
    await whenAsked('/certificates/submit');
    await first.kill();
    await startWorker();
    await real.advance(181);
    await real.advance(Number(LEASE_SECONDS) + 1);
    expect(await failureOf(handle.result())).toMatchObject({
      code: 'PROVIDER_OUTCOME_UNCONFIRMED',
      retryable: false,
    });
    expect(await asked('/certificates/submit')).toBe(1);
  });
});
