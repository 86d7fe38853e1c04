import { verifyReceipts } from '@changgu/sdk';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const JOBS = 8;
const KILLS = 2;
const CERTIFICATE = 'tax_portal.c1.vat_standard';
/** More than a job may take. */
const DEADLINE_S = 200;

let real: RealTestServer;
let worker: WorkerProcess;
beforeAll(async () => {
  real = await startRealTestServer({ ROLE: 'api' });
  worker = await startWorkerProcess(real);
});
afterAll(async () => {
  await worker.kill();
  await real[Symbol.asyncDispose]();
});

const receipts = async () => {
  const all = [];
  for await (const each of real.client.receipts.each()) all.push(each);
  return all;
};

it('leaves one receipt of each act and no gap, whenever the signing process is killed', async () => {
  await real.client.jobs.run({ action: 'tax_portal.s1.login' });
  const ids: string[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    ids.push((await real.client.jobs.submit({ action: CERTIFICATE, params: {} })).id);
  }
  const jobs = async () => Promise.all(ids.map(async (id) => real.client.jobs.get(id)));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = (await receipts()).length;
    await vi.waitFor(async () => expect((await receipts()).length).toBeGreaterThan(before), {
      timeout: 30_000,
      interval: 20,
    });
    await worker.kill();
    worker = await startWorkerProcess(real);
    // What was killed past its point of no return ends at its deadline only, so that it is never repeated.
    await real.advance(DEADLINE_S);
  }
  await vi.waitFor(
    async () => expect((await jobs()).filter(({ finishedAt }) => finishedAt === null)).toEqual([]),
    { timeout: 60_000, interval: 500 },
  );
  const ended = await jobs();
  const acted = ended.filter(
    ({ status, error }) => status === 'SUCCEEDED' || error?.code === 'PROVIDER_OUTCOME_UNCONFIRMED',
  );
  const all = await receipts();
  expect(all.map(({ statement }) => statement.jobId).toSorted()).toEqual(
    acted.map(({ jobId }) => jobId).toSorted(),
  );
  expect(acted.length).toBeGreaterThan(KILLS);
  const keys = await real.client.receipts.keys();
  const chain = all.map(({ receipt }) => receipt);
  expect(await verifyReceipts(chain, keys)).toMatchObject({ valid: true, missing: [] });
});
