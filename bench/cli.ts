/**
 * Claim: `changgu --help` and `--version` cost at most 1.3 times `node -e 0`, and a command that makes one request at
 * most 2.2 times. A command of `changgu-server`, which opens the database itself, stands beside them. Interleaved runs
 * of the build (`pnpm build`), as CPU time, which a busy machine changes least, and as wall time.
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
const changguServer = fileURLToPath(new URL('../packages/server/dist/main.js', import.meta.url));
if (!existsSync(changguServer)) throw new Error('build first: pnpm --filter @changgu/server build');
const home = await mkdtemp(join(tmpdir(), 'changgu-cli-bench-'));
const dataDir = join(home, 'data');
const server = await startChanggu({ dataDir });
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
  { name: '--version', args: [changgu, '--version'], goal: 1.3 },
  { name: '--help', args: [changgu, '--help'], goal: 1.3 },
  { name: 'jobs submit --help', args: [changgu, 'jobs', 'submit', '--help'], goal: 1.3 },
  { name: 'jobs list (one request)', args: [changgu, 'jobs', 'list', '--json'], goal: 2.2 },
  {
    name: 'changgu-server api-key list',
    args: [changguServer, 'api-key', 'list', '--org', '1', '--data-dir', dataDir],
    goal: null,
  },
];

const cpuAtExit = fileURLToPath(new URL('./support/cpu-at-exit.cjs', import.meta.url));

interface Cost {
  /** CPU time of the whole process, in milliseconds. */
  readonly cpu: number;
  readonly wall: number;
}

function measure(args: readonly string[]): Cost {
  const started = performance.now();
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ['--require', cpuAtExit, ...args],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  if (status !== 0) throw new Error(`${args.join(' ')}: ${String(stderr)}`);
  return { cpu: Number(output[3]), wall: performance.now() - started };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

for (const { args } of commands) measure(args); // Fills the compile cache.
const costs = commands.map((): Cost[] => []);
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, { args }] of commands.entries()) costs[index]?.push(measure(args));
}
const medians = costs.map((all) => ({
  cpu: median(all.map(({ cpu }) => cpu)),
  wall: median(all.map(({ wall }) => wall)),
}));
const [base] = medians;
for (const [index, { name, goal }] of commands.entries()) {
  const { cpu = Number.NaN, wall = Number.NaN } = medians[index] ?? {};
  const ratio = (cost: number, whole = Number.NaN) => `${(cost / whole).toFixed(2)} ×`;
  const wanted = goal === null ? '' : `  (goal ≤ ${goal})`;
  console.log(
    `${name.padEnd(28)} CPU ${cpu.toFixed(0)} ms, ${ratio(cpu, base?.cpu)}  wall ${wall.toFixed(0)} ms, ${ratio(wall, base?.wall)}${wanted}`,
  );
}
await server.close();
await rm(home, { recursive: true, force: true });
