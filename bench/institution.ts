/**
 * Claim: a real_test job costs little beyond what the institution itself takes. One balance inquiry
 * (a form and its answer) is asked bare, with the same two requests, and as a job of an idle
 * server with an embedded database, at portals of different speed.
 * Run: node --conditions=@changgu/source bench/institution.ts [rounds]
 */
import { performance } from 'node:perf_hooks';
import { demoAccounts } from '@changgu/simulators';
import { request } from 'undici';
import { startRealTestServer } from '../packages/server/test/support/real-test-server.ts';

const ACTION = 'bank_a.accounts.quick_summary.get';
const LATENCIES_MS = [0, 20, 100];
const WARM_UP = 10;
const rounds = Number(process.argv[2] ?? 100);

const real = await startRealTestServer({ BANK_PRODUCT_CAP: '1000' });
const baseUrl = real.simulators.urls.bank_a;
const [account] = demoAccounts.bank_a;
if (account === undefined) throw new Error('there is no demo account');

/** The two requests of the connector, without parsing, job or credential. */
async function askBare(): Promise<void> {
  const form = await request(`${baseUrl}/quick/balance`);
  const html = await form.body.text();
  const token = /name="_token" value="(\w+)"/.exec(html)?.[1] ?? '';
  const cookie = [form.headers['set-cookie']].flat()[0]?.split(';')[0] ?? '';
  const answer = await request(`${baseUrl}/quick/balance`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      _token: token,
      acctNo: account?.accountNo ?? '',
      acctPwd: account?.accountPassword ?? '',
      ownerNo: account?.ownerNumber ?? '',
    }).toString(),
  });
  if (!(await answer.body.text()).includes('계좌잔액')) throw new Error('no balance');
}

/** A job's running time, and how long its client waited. */
async function askByJob(): Promise<{ ran: number; waited: number }> {
  const began = performance.now();
  const handle = await real.client.jobs.submit({ action: ACTION });
  await handle.result();
  const waited = performance.now() - began;
  const { startedAt, finishedAt } = await real.client.jobs.get(handle.id);
  return { ran: Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? ''), waited };
}

async function setLatency(latencyMs: number): Promise<void> {
  await fetch(`${real.simulators.controlUrl}/bank_a/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'DEGRADED', latency_ms: latencyMs, error_rate: 0 }),
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const table: Record<string, string>[] = [];
for (const latency of LATENCIES_MS) {
  await setLatency(latency);
  const bare: number[] = [];
  const jobs: { ran: number; waited: number }[] = [];
  // Interleaved, so that a busy machine is busy for both.
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const began = performance.now();
    await askBare();
    const took = performance.now() - began;
    const job = await askByJob();
    if (round < 0) continue;
    bare.push(took);
    jobs.push(job);
  }
  const portal = median(bare);
  const ran = median(jobs.map((job) => job.ran));
  const waited = median(jobs.map((job) => job.waited));
  table.push({
    'portal answers after': `${latency} ms`,
    'bare requests': `${portal.toFixed(1)} ms`,
    'job running': `${ran.toFixed(1)} ms`,
    'submit to result': `${waited.toFixed(1)} ms`,
    overhead: `${(waited - portal).toFixed(1)} ms (${(waited / portal).toFixed(2)} ×)`,
  });
}
console.table(table);
await real[Symbol.asyncDispose]();
process.exit();
