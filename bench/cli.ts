/**
 * Claim (design "Budgets"): `changgu --help` costs at most 1.6 times `node -e 0`, `--version` no more than that, and a
 * command that makes one request at most 4 times. Measured as CPU time, which a busy machine changes least, of
 * interleaved runs of the build (`pnpm build`).
 * Run: node --conditions=@changgu/source bench/cli.ts
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChanggu } from './support/server-process.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 40);
const changgu = fileURLToPath(new URL('../packages/cli/bin/changgu.cjs', import.meta.url));
if (!existsSync(fileURLToPath(new URL('../packages/cli/dist/front/main.cjs', import.meta.url)))) {
  throw new Error('build first: pnpm --filter @changgu/cli run build');
}
const home = await mkdtemp(join(tmpdir(), 'changgu-cli-bench-'));
const server = await startChanggu();
const [clientId = '', clientSecret = ''] = atob(server.authorization.replace('Basic ', '')).split(
  ':',
);
const env = {
  PATH: process.env.PATH,
  HOME: home,
  TMPDIR: home,
  CHANGGU_BASE_URL: server.url,
  CHANGGU_CLIENT_ID: clientId,
  CHANGGU_CLIENT_SECRET: clientSecret,
};

const commands = [
  { name: 'node -e 0', args: ['-e', '0'], goal: null },
  { name: '--version', args: [changgu, '--version'], goal: 1.6 },
  { name: '--help', args: [changgu, '--help'], goal: 1.6 },
  { name: 'jobs submit --help', args: [changgu, 'jobs', 'submit', '--help'], goal: null },
  { name: 'jobs list (one request)', args: [changgu, 'jobs', 'list', '--json'], goal: 4 },
];

const cpuAtExit = fileURLToPath(new URL('./support/cpu-at-exit.cjs', import.meta.url));

/** CPU time of a whole process, in milliseconds. */
function time(args: readonly string[]): number {
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ['--require', cpuAtExit, ...args],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  if (status !== 0) throw new Error(`${args.join(' ')}: ${String(stderr)}`);
  return Number(output[3]);
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

for (const { args } of commands) time(args); // Fills the compile cache.
const times = commands.map((): number[] => []);
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, { args }] of commands.entries()) times[index]?.push(time(args));
}
const base = median(times[0] ?? []);
for (const [index, { name, goal }] of commands.entries()) {
  const ratio = median(times[index] ?? []) / base;
  const wanted = goal === null ? '' : ` (goal ≤ ${goal})`;
  console.log(
    `${name.padEnd(26)} ${median(times[index] ?? []).toFixed(1)} ms  ${ratio.toFixed(2)} ×${wanted}`,
  );
}
await server.close();
await rm(home, { recursive: true, force: true });
