/**
 * Claim (design "Budgets"): `dev` is ready within 3 s on an empty directory and within 0.6 s on a
 * known one, and rests at ≤ 130 MB. Measured on the build: run `pnpm --filter @changgu/server build` first.
 * Run: node --conditions=@changgu/source bench/start.ts
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startChanggu } from './support/server-process.ts';

const REOPENINGS = 7;
const build = fileURLToPath(new URL('../packages/server/dist/main.js', import.meta.url));
if (!existsSync(build)) throw new Error('build the server first');
const dataDir = await mkdtemp(join(tmpdir(), 'changgu-start-'));

async function start(): Promise<{ ms: number; rssMb: number }> {
  const server = await startChanggu({ dataDir, main: build });
  await pause(2_000); // The first RSA key is made while listening; then it rests.
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  await server.close();
  return { ms: server.startMs, rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const first = await start();
console.log(`first start: ${first.ms.toFixed(0)} ms (goal ≤ 3000)`);
const again = [];
for (let n = 0; n < REOPENINGS; n++) again.push(await start());
console.log(
  `re-opened, median of ${REOPENINGS}: ${median(again.map(({ ms }) => ms)).toFixed(0)} ms (goal ≤ 600)`,
);
console.log(`resident: ${median(again.map(({ rssMb }) => rssMb)).toFixed(0)} MB (goal ≤ 130)`);
await rm(dataDir, { recursive: true, force: true });
