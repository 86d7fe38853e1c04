/**
 * Claim: a `dev` server without requests takes at most 0.5 % of one core,
 * simulated institutions and all. `wake.ts` shows that it wakes up no slower for that.
 * Run: node --conditions=@changgu/source bench/idle.ts [seconds]
 * Fails above the goal.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startChanggu } from './support/server-process.ts';

const GOAL_PERCENT = 0.5;
const SETTLE_MS = 10_000;
const seconds = Number(process.argv[2] ?? 30);
const source = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url));
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor seconds that a process has used, all its threads. */
function processorSeconds(pid: number): number {
  // After the name, which may contain anything in its parentheses: utime and stime are the 12th and 13th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

const server = await startChanggu({
  program: [source],
  env: { NODE_OPTIONS: '--conditions=@changgu/source' },
});
await pause(SETTLE_MS);
const before = processorSeconds(server.pid);
await pause(seconds * 1_000);
const percent = ((processorSeconds(server.pid) - before) / seconds) * 100;
await server.close();
console.log(`idle dev server: ${percent.toFixed(2)} % of a core (goal ≤ ${GOAL_PERCENT} %)`);
process.exit(percent <= GOAL_PERCENT ? 0 : 1);
