/**
 * Claim: `dev` is ready within 3 s on an empty directory and within 0.4 s on a
 * known one, and rests at ≤ 100 MB. On a busy machine its processor time says more than the clock. What a start does
 * not load, the first request may have to, so that is measured, too. Much of the memory is pages of Node's own file,
 * whose number depends on how the kernel has cached it; so what is not of a file stands beside it, and a bare Node.
 * Measured on the build: run `pnpm --filter @changgu/server build` first.
 * Run: node --conditions=@changgu/source bench/start.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

interface Memory {
  readonly residentMb: number;
  /** Without the pages of files, which processes share. */
  readonly ownMb: number;
}

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
  readonly memory: Memory;
  readonly requestMs: number;
}

async function start(): Promise<Start> {
  const server = await startChanggu({ dataDir, program: [build] });
  const cpuMs = await processorTime(server.pid);
  await pause(2_000); // The first RSA key is made while listening; then it rests.
  const memory = await memoryOf(server.pid);
  const requestMs = await firstRequest(server);
  await server.close();
  return { ms: server.startMs, cpuMs, memory, requestMs };
}

async function memoryOf(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mb = (line: RegExp) => Number(line.exec(status)?.[1]) / 1024;
  return { residentMb: mb(/VmRSS:\s+(\d+)/), ownMb: mb(/RssAnon:\s+(\d+)/) };
}

/** Node that runs nothing. */
async function bareNode(): Promise<Memory> {
  const child = spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const memory = await memoryOf(child.pid ?? 0);
  child.kill();
  return memory;
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
const of = (what: (start: Start) => number) => median(again.map(what)).toFixed(0);
const bare = await bareNode();
console.log(`medians of ${REOPENINGS} on the known directory:`);
console.log(`re-opened: ${of(({ ms }) => ms)} ms (goal ≤ ${GOALS.reopenedMs})`);
console.log(`processor time until then: ${of(({ cpuMs }) => cpuMs)} ms`);
console.log(`resident: ${of(({ memory }) => memory.residentMb)} MB (goal ≤ ${GOALS.residentMb})`);
console.log(`of which not of files: ${of(({ memory }) => memory.ownMb)} MB`);
console.log(`bare Node: ${bare.residentMb.toFixed(0)} MB, ${bare.ownMb.toFixed(0)} not of files`);
console.log(`first request: ${of(({ requestMs }) => requestMs)} ms`);
await rm(dataDir, { recursive: true, force: true });
