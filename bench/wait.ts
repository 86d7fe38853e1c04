/**
 * Claim: what waits costs memory and nothing else. Ending a job takes the same time whether 10 or 10,000 readers wait
 * for others, and a thousand open streams of events stay small.
 * Run: node --conditions=@changgu/source bench/wait.ts [waiters] [streams]
 * Fails when ending a job beside all waiters takes more than twice as long as beside ten.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type ClientRequest, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { call, issueKey, register } from './support/people.ts';
import { startChanggu } from './support/server-process.ts';

const GOAL = 2;
const FEW = 10;
const ENDED = 60;
/** A caller may hold so many streams open on one process. */
const STREAMS_PER_CALLER = 20;
const KEYS_PER_PERSON = 20;
const OPENED_AT_ONCE = 50;

const waiters = Number(process.argv[2] ?? 1_000);
const streams = Number(process.argv[3] ?? 1_000);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const dataDir = await mkdtemp(join(tmpdir(), 'changgu-bench-'));
const server = await startChanggu({
  dataDir,
  program: [fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))],
  env: {
    NODE_OPTIONS: '--conditions=@changgu/source',
    // Nothing runs: a job ends by being canceled here.
    CHANGGU_ROLE: 'api',
    CHANGGU_RATE_LIMIT: '10000000/60',
    CHANGGU_MAX_CONNECTIONS: '50000',
  },
});

const asClient = { authorization: server.authorization, 'x-env-scope': 'sandbox' };

function memoryMb(): number {
  const [, kilobytes] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function submit(): Promise<string> {
  const { job_id: jobId } = await call(
    server,
    'POST',
    '/v1/jobs',
    { ...asClient, 'idempotency-key': crypto.randomUUID() },
    { provider: 'bank_a', action: 'bank_a.accounts.list' },
  );
  return jobId;
}

/** Opens a request and leaves it open. */
function hold(path: string, headers: Record<string, string>): ClientRequest {
  return get(new URL(path, server.url), { agent, headers }, (answer) => {
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
    answer.resume();
  }).on('error', () => {});
}

async function holdMany(
  count: number,
  open: (index: number) => ClientRequest,
): Promise<ClientRequest[]> {
  const held: ClientRequest[] = [];
  for (let index = 0; index < count; index += 1) {
    held.push(open(index));
    if (index % OPENED_AT_ONCE === 0) await pause(10);
  }
  await pause(1_000);
  return held;
}

/** Milliseconds from canceling a job to the answer of the reader waiting for it. */
async function endings(): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < ENDED; n += 1) {
    const jobId = await submit();
    const waited = call(server, 'GET', `/v1/jobs/${jobId}`, { ...asClient, prefer: 'wait=30' });
    await pause(10);
    const began = performance.now();
    await call(server, 'POST', `/v1/jobs/${jobId}/cancel`, asClient);
    await waited;
    took.push(performance.now() - began);
  }
  return median(took);
}

async function besides(count: number): Promise<{ readonly ms: number; readonly mb: number }> {
  const before = memoryMb();
  const jobs = await Promise.all(Array.from({ length: FEW }, submit));
  const held = await holdMany(count, (index) =>
    hold(`/v1/jobs/${jobs[index % FEW]}`, { ...asClient, prefer: 'wait=30' }),
  );
  const mb = memoryMb() - before;
  const ms = await endings();
  for (const request of held) request.destroy();
  await pause(500);
  return { ms, mb };
}

await endings();
const few = await besides(FEW);
const many = await besides(waiters);
const ratio = many.ms / few.ms;
console.log(
  `ending a job beside ${FEW} waits ${few.ms.toFixed(2)} ms, beside ${waiters} ${many.ms.toFixed(2)} ms: ${ratio.toFixed(2)} × (goal ≤ ${GOAL})`,
);
console.log(`memory of ${waiters} waits: ${((many.mb * 1_024) / waiters).toFixed(1)} kB each`);

// One caller may not hold so many streams, and one address may not log in so often.
const keys: string[] = [];
for (let n = 0; keys.length * STREAMS_PER_CALLER < streams; n += 1) {
  const token = await register(server, n);
  for (let of = 0; of < KEYS_PER_PERSON; of += 1) keys.push(await issueKey(server, token));
}
const before = memoryMb();
const held = await holdMany(streams, (index) =>
  hold('/v1/events', {
    authorization: keys[Math.floor(index / STREAMS_PER_CALLER)] ?? '',
    accept: 'text/event-stream',
  }),
);
const each = ((memoryMb() - before) * 1_024) / streams;
const beside = await endings();
console.log(`memory of ${streams} streams: ${each.toFixed(1)} kB each`);
console.log(`ending a job beside them: ${beside.toFixed(2)} ms`);
for (const request of held) request.destroy();
await server.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(ratio <= GOAL ? 0 : 1);
