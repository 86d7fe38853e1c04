/**
 * Claim: an authenticated request costs at most 1.15 times the same request without authentication.
 * One job is read over HTTP on SQLite, 32 connections: once through the verifiers, which ask the
 * database each time, and once past a gate that checks no secret. Measured is the processor
 * time of the server, all its threads, in rounds that alternate.
 * Run: node --conditions=@changgu/source bench/auth.ts [rounds]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import type { AuthServerReady } from './support/auth-server.ts';

const SECONDS = 3;
const GOAL = 1.15;
const rounds = Number(process.argv[2] ?? 4);

const server = fork(fileURLToPath(new URL('./support/auth-server.ts', import.meta.url)), {
  execArgv: ['--conditions=@changgu/source'],
});
const [ready]: AuthServerReady[] = await once(server, 'message');
if (ready === undefined) throw new Error('the server did not start');

const costs: { open: number[]; proven: number[] } = { open: [], proven: [] };
for (let n = 0; n <= rounds; n += 1) {
  const open = await microsecondsPerRequest(ready.open, ready.headers);
  const proven = await microsecondsPerRequest(ready.proven, ready.headers);
  // The first round warms code, caches and connections.
  if (n === 0) continue;
  costs.open.push(open);
  costs.proven.push(proven);
}
const [open, proven] = [median(costs.open), median(costs.proven)];
console.log(`without authentication: ${open.toFixed(0)} µs of processor time a request`);
console.log(`authenticated: ${proven.toFixed(0)} µs`);
console.log(`ratio: ${(proven / open).toFixed(3)} (goal ≤ ${GOAL})`);
server.disconnect();

async function microsecondsPerRequest(url: string, headers: Record<string, string>) {
  const before = await processorTime();
  const result = await autocannon({ url, connections: 32, duration: SECONDS, headers });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} were not 2xx`);
  return ((await processorTime()) - before) / result['2xx'];
}

async function processorTime(): Promise<number> {
  const answer = once(server, 'message');
  server.send('processor time');
  const [usage]: NodeJS.CpuUsage[] = await answer;
  return (usage?.user ?? 0) + (usage?.system ?? 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
