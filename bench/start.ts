/**
 * Claim: `dev` is ready within 3 s on an empty directory and within 0.4 s on a
 * known one, and rests at ≤ 100 MB. On a busy machine its processor time says more than the clock. What a start does
 * not load, the first request may have to, so that is measured, too.
 * Measured on the build: run `pnpm --filter @changgu/server build` first.
 * Run: node --conditions=@changgu/source bench/start.ts
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type MeasuredServer, startChanggu } from './support/server-process.ts';

const REOPENINGS = 7;
const GOALS = { firstMs: 3_000, reopenedMs: 400, residentMb: 100 };
/** Of the clock that /proc counts processor time in. */
const TICK_MS = 10;
const build = fileURLToPath(new URL('../packages/server/dist/main.js', import.meta.url));
if (!existsSync(build)) throw new Error('build the server first');
const dataDir = await mkdtemp(join(tmpdir(), 'changgu-start-'));

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly requestMs: number;
}

async function start(): Promise<Start> {
  const server = await startChanggu({ dataDir, main: build });
  const cpuMs = await processorTime(server.pid);
  await pause(2_000); // The first RSA key is made while listening; then it rests.
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  const rssMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  const requestMs = await firstRequest(server);
  await server.close();
  return { ms: server.startMs, cpuMs, rssMb, requestMs };
}

/** Reads jobs with a key: credentials, database, checks and metrics are all used for the first time. */
async function firstRequest({ url, authorization }: MeasuredServer): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/v1/jobs`, {
    headers: { authorization, 'x-env-scope': 'sandbox' },
  });
  if (answer.status !== 200) throw new Error(`the first request was answered ${answer.status}`);
  await answer.text();
  return performance.now() - started;
}

/** Of all threads, user and system: the twelfth and thirteenth field behind the name. */
async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const first = await start();
console.log(`first start: ${first.ms.toFixed(0)} ms (goal ≤ ${GOALS.firstMs})`);
const again: Start[] = [];
for (let n = 0; n < REOPENINGS; n++) again.push(await start());
const of = (what: keyof Start) => median(again.map((each) => each[what])).toFixed(0);
console.log(`medians of ${REOPENINGS} on the known directory:`);
console.log(`re-opened: ${of('ms')} ms (goal ≤ ${GOALS.reopenedMs})`);
console.log(`processor time until then: ${of('cpuMs')} ms`);
console.log(`resident: ${of('rssMb')} MB (goal ≤ ${GOALS.residentMb})`);
console.log(`first request: ${of('requestMs')} ms`);
await rm(dataDir, { recursive: true, force: true });
