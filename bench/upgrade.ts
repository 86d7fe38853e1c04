/**
 * Claim (operations "Upgrades"): a release and the one before it run side by side on one PostgreSQL, in
 * either order and under load: every submission is accepted, and every job ends as it should.
 * The earlier state is taken from the repository's history and runs from source in a directory of its own.
 * Run: node --conditions=@changgu/source bench/upgrade.ts --from <ref> [--jobs <count>]
 * Fails when a submission was refused, or a job lost, stuck or failed.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBehindTheStore } from '../packages/server/src/store/testing/behind-the-store.ts';
import { MASTER_KEY } from './support/engine-process.ts';
import { startPostgres } from './support/postgres.ts';
import { type MeasuredServer, startChanggu } from './support/server-process.ts';
import { inParallel, submit } from './support/submissions.ts';
import { countJobs, judge } from './support/verdict.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = 'packages/server/src/main.ts';
const AT_ONCE = 16;
const SETTLE_MS = 60_000;
const { values } = parseArgs({
  options: { from: { type: 'string' }, jobs: { type: 'string', default: '2000' } },
});
if (values.from === undefined) throw new Error('name the earlier state, e.g. --from HEAD~100');
const jobs = Number(values.jobs);

/** The repository as it was, with its own dependencies. */
async function checkOut(ref: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-earlier-'));
  const archive = execFileSync('git', ['archive', ref], { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  execFileSync('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return directory;
}

interface Release {
  readonly name: string;
  readonly root: string;
}

/** Starts one release, then the other beside it, then stops the first: jobs come all the while. */
async function upgrade(first: Release, second: Release): Promise<number> {
  const postgres = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-upgrade-'));
  const env = {
    CHANGGU_DATABASE_URL: postgres.url,
    CHANGGU_MASTER_KEY: MASTER_KEY,
    CHANGGU_SANDBOX_DELAY_MS: '20',
    NODE_OPTIONS: '--conditions=@changgu/source',
  };
  const start = ({ root }: Release) => startChanggu({ program: [join(root, MAIN)], dataDir, env });
  const running: MeasuredServer[] = [await start(first)];
  let sent = 0;
  const refused: string[] = [];
  const answered = new Set<string>();
  const orders = Array.from({ length: jobs }, (_, order) => order);
  const submitting = inParallel(orders, AT_ONCE, async () => {
    sent += 1;
    const { length } = running;
    const id = await submit(() => running[sent % length] ?? oneOf(running), sandboxJob()).catch(
      (error: unknown) => {
        refused.push(String(error));
        return null;
      },
    );
    if (id !== null) answered.add(id);
  });
  await reached(() => sent, jobs / 3);
  running.push(await start(second));
  await reached(() => sent, (2 * jobs) / 3);
  const old = running.shift();
  await old?.close();
  await submitting;

  const db = openBehindTheStore(postgres.url);
  const began = performance.now();
  while ((await judge(db)).stuck > 0 && performance.now() - began < SETTLE_MS) await pause(100);
  const { stuck, overlaps } = await judge(db);
  const { jobs: stored, byOutcome } = await countJobs(db);
  const { SUCCEEDED: succeeded = 0 } = byOutcome;
  const counted = {
    refused: refused.length,
    lost: Math.max(0, answered.size - stored),
    twice: Math.max(0, stored - jobs),
    'lane overlaps': overlaps,
    stuck,
    'not succeeded': stored - succeeded,
  };
  console.log(`${first.name}, then ${second.name} beside it, then alone: ${jobs} submissions`);
  console.table(counted);
  for (const message of new Set(refused)) console.log(message);
  for (const server of running) await server.close();
  await db.destroy();
  await postgres.close();
  await rm(dataDir, { recursive: true, force: true });
  return Object.values(counted).reduce((sum, count) => sum + count, 0);
}

function oneOf([server]: readonly MeasuredServer[]): MeasuredServer {
  if (server === undefined) throw new Error('no server is running');
  return server;
}

function sandboxJob() {
  return {
    key: randomUUID(),
    envScope: 'sandbox' as const,
    body: { provider: 'bank_a', action: 'bank_a.accounts.list', params: {} },
  };
}

async function reached(count: () => number, goal: number): Promise<void> {
  while (count() < goal) await pause(5);
}

const earlier = { name: values.from, root: await checkOut(values.from) };
const current = { name: 'this state', root: ROOT };
const breaches = (await upgrade(earlier, current)) + (await upgrade(current, earlier));
await rm(earlier.root, { recursive: true, force: true });
console.log(`broken promises: ${breaches} (goal 0)`);
process.exitCode = breaches === 0 ? 0 : 1;
