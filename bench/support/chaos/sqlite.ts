import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../../packages/server/src/store/schema/tables.ts';
import { openBehindTheStore } from '../../../packages/server/src/store/testing/behind-the-store.ts';
import { serverProgram } from '../../../scripts/programs.ts';
import { MASTER_KEY } from '../engine-process.ts';
import { linkRows } from '../links.ts';
import { type MeasuredServer, startChanggu } from '../server-process.ts';
import { inParallel, type Submission, submit } from '../submissions.ts';
import { anyUnfinished, countJobs, judge } from '../verdict.ts';
import { startPatiently, within } from './patience.ts';
import { type ChaosReport, report } from './report.ts';

interface Size {
  readonly jobs: number;
  readonly links: number;
  readonly kills: number;
  /** The longest that any step may take. */
  readonly limitSeconds: number;
}

/** One server, repeatedly killed while it accepts and runs jobs, and restarted on its data. */
export async function chaosOnSqlite(size: Size): Promise<ChaosReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-chaos-'));
  const env = {
    CHANGGU_MASTER_KEY: MASTER_KEY,
    CHANGGU_LEASE_SECONDS: '3',
    CHANGGU_SANDBOX_DELAY_MS: '5',
  };
  const inTime = <T>(what: string, awaited: Promise<T>) => within(size.limitSeconds, what, awaited);
  const start = () =>
    inTime(
      'the server to start',
      startPatiently(() => startChanggu({ dataDir, env, program: serverProgram() })),
    );
  let server: MeasuredServer = await start();
  const demo: { organization_id: number } = JSON.parse(
    await readFile(join(dataDir, 'demo.json'), 'utf8'),
  );
  const db = openBehindTheStore(`sqlite:${join(dataDir, 'changgu.db')}`);
  const links = await linkRows(db, demo.organization_id, size.links);

  const began = performance.now();
  const ids = new Map<string, Set<string>>();
  let sent = 0;
  const submissions = submissionsOf(size.jobs, links);
  const submitting = inParallel(submissions, 16, async (submission) => {
    sent += 1;
    const id = await submit(() => server, submission);
    ids.set(submission.key, (ids.get(submission.key) ?? new Set()).add(id));
    // Spread over the kills, however fast the server is.
    await pause((size.kills * 2_000 * 16) / size.jobs);
  });
  // Awaited after the kills, which fail first where it does.
  submitting.catch(() => {});
  for (let i = 0; i < size.kills; i += 1) {
    await pause(300 + Math.random() * 1_000);
    process.kill(server.pid, 'SIGKILL');
    server = await start();
  }
  await inTime('all submissions', submitting);
  await inTime('all jobs to end', noneUnfinished(db));
  const seconds = (performance.now() - began) / 1_000;
  const known = new Set((await db.selectFrom('jobs').select('id').execute()).map(({ id }) => id));
  const result = report(seconds, { ids, sent }, known, await judge(db), await countJobs(db), {
    counts: { kills: size.kills },
    broken: {},
  });
  await inTime('the server to stop', server.close());
  await db.destroy();
  await rm(dataDir, { recursive: true, force: true });
  return result;
}

async function noneUnfinished(db: Kysely<Database>): Promise<void> {
  while (await anyUnfinished(db)) await pause(100);
}

function submissionsOf(jobs: number, links: Awaited<ReturnType<typeof linkRows>>): Submission[] {
  return Array.from({ length: jobs }, (_, order) => {
    const link = links[order % links.length];
    return {
      key: randomUUID(),
      envScope: 'sandbox',
      body: {
        provider: link?.provider ?? 'bank_b',
        action: link?.provider === 'tax_portal' ? 'tax_portal.s1.login' : 'bank_b.accounts.list',
        ...(link ? { account_link_id: link.id } : {}),
        params: { order },
      },
    };
  });
}
