/** CPU of one submission through the SDK, against undici's fetch and request on an agent of their own, 32 in flight. */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici';

const IN_FLIGHT = 32;
const CALLS = 6_000;
const ROUNDS = 7;

const body = { provider: 'bank_b', action: 'bank_b.accounts.list', params: { from: '20261101' } };
const answer = JSON.stringify({
  job_id: 'job_01JD0000000000000000000000',
  status: 'QUEUED',
  env_scope: 'sandbox',
  provider: 'bank_b',
  action: 'bank_b.accounts.list',
  submitted_at: '2026-11-21T09:00:00.000+09:00',
});

/** The server runs in its own process: only the client's CPU is counted. */
function serve(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(202, { 'content-type': 'application/json' }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
}

async function startServer(): Promise<{ url: string; stop: () => void }> {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const address = await new Promise<{ port: number }>((resolve) => {
    child.once('message', (message) => resolve(message as { port: number }));
  });
  return { url: `http://127.0.0.1:${address.port}`, stop: () => child.kill() };
}

/** Microseconds of CPU per call. */
async function cpuPerCall(call: () => Promise<unknown>): Promise<number> {
  let left = CALLS;
  const start = process.cpuUsage();
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / CALLS;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** CPU per call in microseconds. */
export interface SubmitCost {
  readonly sdk: number;
  readonly fetch: number;
  readonly request: number;
  /** The SDK against fetch: the median of interleaved rounds. */
  readonly ratio: number;
}

export async function measureSubmit(): Promise<SubmitCost> {
  const { Changgu } = await import('@changgu/sdk');
  const { url, stop } = await startServer();
  const dispatcher = new Agent({ connections: 128 });
  const client = new Changgu({ baseUrl: url, clientId: 'a', clientSecret: 'b' });
  const headers = {
    authorization: 'Basic YTpi',
    'content-type': 'application/json',
    'x-env-scope': 'sandbox',
  };
  const submission = () => ({
    method: 'POST' as const,
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(body),
    dispatcher,
  });
  const calls = {
    fetch: async () => (await undiciFetch(`${url}/v1/jobs`, submission())).json(),
    request: async () => (await undiciRequest(`${url}/v1/jobs`, submission())).body.json(),
    sdk: () => client.jobs.submit(body),
  };
  const cost: Record<keyof typeof calls, number[]> = { fetch: [], request: [], sdk: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, call] of Object.entries(calls) as [
      keyof typeof calls,
      () => Promise<unknown>,
    ][]) {
      const microseconds = await cpuPerCall(call);
      // The first round warms up.
      if (round > 0) cost[name].push(microseconds);
    }
  }
  await client.close();
  await dispatcher.close();
  stop();
  const ratios = cost.sdk.map((value, index) => value / (cost.fetch[index] ?? Number.NaN));
  return {
    sdk: median(cost.sdk),
    fetch: median(cost.fetch),
    request: median(cost.request),
    ratio: median(ratios),
  };
}

if (process.argv[2] === 'serve') serve();
