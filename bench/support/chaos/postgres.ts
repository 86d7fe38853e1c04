import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadCatalogue } from '@changgu/contract/catalogue';
import type { Kysely } from 'kysely';
import { createSweeper } from '../../../packages/server/src/engine/sweeper.ts';
import { DAY_MS } from '../../../packages/server/src/rules/durations.ts';
import { openStore } from '../../../packages/server/src/store/database.ts';
import type { Database } from '../../../packages/server/src/store/schema/tables.ts';
import { openBehindTheStore } from '../../../packages/server/src/store/testing/behind-the-store.ts';
import { serverProgram } from '../../../scripts/programs.ts';
import { end } from '../children.ts';
import { MASTER_KEY, startEngineWorker } from '../engine-process.ts';
import { linkRows } from '../links.ts';
import { startPostgres } from '../postgres.ts';
import { startChanggu } from '../server-process.ts';
import { inParallel, type Submission, submit } from '../submissions.ts';
import { countJobs, judge } from '../verdict.ts';
import { startPatiently, within } from './patience.ts';
import type { ChaosReport } from './report.ts';
import { report } from './report.ts';

const LEASE_SECONDS = 3;
const READ = 'bank_b.accounts.list';
const ISSUE = 'tax_portal.c1.business_registration';

interface Size {
  readonly jobs: number;
  readonly links: number;
  readonly kills: number;
  readonly workers: number;
  /** The longest that any step may take. */
  readonly limitSeconds: number;
}

export async function chaosOnPostgres(size: Size): Promise<ChaosReport> {
  const postgres = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-chaos-'));
  try {
    return await run(size, postgres.url, dataDir);
  } finally {
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function run(size: Size, url: string, dataDir: string): Promise<ChaosReport> {
  const effects = join(dataDir, 'effects');
  await writeFile(effects, '');
  const env = {
    CHANGGU_DATABASE_URL: url,
    CHANGGU_MASTER_KEY: MASTER_KEY,
    CHANGGU_LEASE_SECONDS: String(LEASE_SECONDS),
    CHANGGU_REAL_TEST_DAILY_TOKENS: '100000000',
    BENCH_RUN_MS: '5',
    BENCH_EFFECTS: effects,
  };
  const api = { env: { ...env, CHANGGU_ROLE: 'api' }, dataDir };
  // One after another: the first creates the demo organization that both serve.
  const inTime = <T>(what: string, awaited: Promise<T>) => within(size.limitSeconds, what, awaited);
  const startApi = () =>
    inTime(
      'an API to start',
      startPatiently(() => startChanggu({ ...api, program: serverProgram() })),
    );
  const apis = [await startApi(), await startApi()];
  const db = openBehindTheStore(url);
  const { organization_id: organizationId }: { organization_id: number } = JSON.parse(
    await readFile(join(dataDir, 'demo.json'), 'utf8'),
  );
  const links = await linkRows(db, organizationId, size.links);
  const startWorker = () =>
    inTime(
      'a worker to start',
      startPatiently(() => startEngineWorker(env)),
    );
  const workers = await Promise.all(Array.from({ length: size.workers }, startWorker));

  const began = performance.now();
  const submissions = plan(size.jobs, links);
  const ids = new Map<string, Set<string>>();
  let sent = 0;
  const submitting = inParallel(submissions, 32, async (submission) => {
    sent += 1;
    const at = apis[sent % apis.length] ?? apis[0];
    if (!at) throw new Error('no API');
    const id = await submit(() => at, submission);
    ids.set(submission.key, (ids.get(submission.key) ?? new Set()).add(id));
  });
  const killed = killAtRandom(workers, startWorker, size.kills);
  await inTime('submissions and kills', Promise.all([submitting, killed]));
  await inTime('all jobs to end', settled(db, url));
  const seconds = (performance.now() - began) / 1_000;

  const known = new Set((await db.selectFrom('jobs').select('id').execute()).map(({ id }) => id));
  const result = report(seconds, { ids, sent }, known, await judge(db), await countJobs(db), {
    counts: { kills: size.kills },
    broken: await judgeEffects(db, effects),
  });
  const stopping = [...workers.map((worker) => end(worker, 'SIGTERM')), ...apis.map(closed)];
  await inTime('workers and APIs to stop', Promise.all(stopping));
  await db.destroy();
  return result;
}

const closed = (server: { close(): Promise<void> }) => server.close();

/** Every tenth key twice, somewhere later; a fifth of the jobs irreversible, a tenth without a link. */
function plan(jobs: number, links: readonly { id: string; provider: string }[]): Submission[] {
  const submissions: Submission[] = [];
  for (let order = 0; order < jobs; order += 1) {
    const link = links[Math.floor(Math.random() * links.length)];
    const submission: Submission =
      order % 10 === 9 || !link
        ? sandboxJob(order)
        : {
            key: randomUUID(),
            envScope: 'real_test',
            body: {
              provider: link.provider,
              action: link.provider === 'tax_portal' ? ISSUE : READ,
              account_link_id: link.id,
              params: { order },
            },
          };
    submissions.push(submission);
    if (order % 10 === 5) {
      const earlier = submissions[Math.floor(Math.random() * submissions.length)];
      if (earlier) submissions.push(earlier);
    }
  }
  return submissions;
}

function sandboxJob(order: number): Submission {
  return {
    key: randomUUID(),
    envScope: 'sandbox',
    body: { provider: 'tax_portal', action: 'tax_portal.s1.login', params: { order } },
  };
}

async function killAtRandom(
  workers: ChildProcess[],
  start: () => Promise<ChildProcess>,
  kills: number,
): Promise<void> {
  for (let i = 0; i < kills; i += 1) {
    await pause(500 + Math.random() * 1_500);
    const victim = Math.floor(Math.random() * workers.length);
    const worker = workers[victim];
    if (worker) await end(worker, 'SIGKILL');
    workers[victim] = await start();
  }
}

/** Waits for the end of all jobs. Those that died past their point of no return wait for their deadline. */
async function settled(db: Kysely<Database>, url: string): Promise<void> {
  for (;;) {
    const open = await db
      .selectFrom('jobs')
      .select((eb) => [
        eb.fn.countAll<number>().as('all'),
        eb.fn.count<number>('submit_step_at').as('past'),
        eb.fn.max('lease_until').as('lease'),
      ])
      .where('finished_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(open.all) === 0) return;
    const abandoned = Number(open.past) > 0 && (await leasesOver(db));
    if (abandoned) await passDeadlines(url);
    await pause(200);
  }
}

/** Whether only jobs are left that no process may touch before their deadline. */
async function leasesOver(db: Kysely<Database>): Promise<boolean> {
  const live = await db
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'RUNNING')
    .where((eb) => eb.or([eb('submit_step_at', 'is', null), eb('lease_until', '>', Date.now())]))
    .limit(1)
    .executeTakeFirst();
  return live === undefined;
}

async function passDeadlines(url: string): Promise<void> {
  const store = await openStore({ url, poolSize: 2 });
  const { actions } = await loadCatalogue();
  await store.clock.advance({ seconds: 200 });
  const leaseMs = LEASE_SECONDS * 1_000;
  await createSweeper({
    store: store.engine,
    breakers: store.breakers,
    actions,
    leaseMs,
    retentionMs: 30 * DAY_MS,
    eventRetentionMs: 30 * DAY_MS,
  }).endDue();
  await store.close();
}

/** Compares what took effect with what the jobs report. */
async function judgeEffects(db: Kysely<Database>, file: string): Promise<Record<string, number>> {
  const times = new Map<string, number>();
  for (const order of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
    times.set(order, (times.get(order) ?? 0) + 1);
  }
  const succeeded = await db
    .selectFrom('jobs')
    .select('params')
    .where('action', '=', ISSUE)
    .where('status', '=', 'SUCCEEDED')
    .execute();
  const orders = succeeded.map(({ params }) => String(JSON.parse(params).order));
  return {
    'effects twice': [...times.values()].filter((count) => count > 1).length,
    'successes without effect': orders.filter((order) => !times.has(order)).length,
  };
}
