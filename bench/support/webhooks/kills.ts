import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openBehindTheStore } from '../../../packages/server/src/store/testing/behind-the-store.ts';
import {
  type ReceiverProcess,
  startReceiverProcess,
} from '../../../packages/server/test/support/receiver-process.ts';
import {
  type ServerProcess,
  startServerProcess,
} from '../../../packages/server/test/support/server-process.ts';
import { call } from '../people.ts';
import { startPostgres } from '../postgres.ts';
import { type MeasuredServer, startChanggu } from '../server-process.ts';
import { submit } from '../submissions.ts';
import { sandboxJob } from './deliveries.ts';
import { addEndpoints, TYPES, tokenOfOwner } from './endpoints.ts';

const JOBS_PER_SECOND = 10;
const WORKERS = 2;
/** What failed once is tried again within six seconds. */
const SECOND_ATTEMPTS_MS = 15_000;
/** A worker that holds no endpoint looks for what is due once a minute. */
const LAST_WAIT_MS = 120_000;

/** Kills the receiver and the workers at random. True when each event was taken at least once. */
export async function kills(minutes: number): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-bench-'));
  const postgres = await startPostgres();
  const receiver = await startReceiverProcess(join(dataDir, 'taken'));
  const env = { CHANGGU_DATABASE_URL: postgres.url, CHANGGU_LEASE_SECONDS: '3' };
  const api = await startChanggu({ dataDir, env: { ...env, CHANGGU_ROLE: 'api' } });
  const startWorker = () =>
    startServerProcess(
      { url: api.url, dataDir },
      // Workers run as in production, where loopback is refused like every private network.
      { ...env, CHANGGU_ROLE: 'worker', CHANGGU_WEBHOOK_NETWORKS: '127.0.0.0/8' },
    );
  const workers = await Promise.all(Array.from({ length: WORKERS }, startWorker));
  try {
    await addEndpoints(api, await tokenOfOwner(api), 1, receiver.url);
    const until = performance.now() + minutes * 60_000;
    const [jobs, killed] = await Promise.all([
      submitUntil(api, until),
      killUntil(until, receiver, workers, startWorker),
    ]);
    return await judge(api, receiver, postgres.url, { jobs, ...killed });
  } finally {
    for (const worker of workers) await worker.kill();
    await receiver.kill();
    await api.close();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function submitUntil(api: MeasuredServer, until: number): Promise<number> {
  let jobs = 0;
  while (performance.now() < until) {
    await submit(() => api, sandboxJob());
    jobs += 1;
    await pause(1_000 / JOBS_PER_SECOND);
  }
  return jobs;
}

async function killUntil(
  until: number,
  receiver: ReceiverProcess,
  workers: ServerProcess[],
  startWorker: () => Promise<ServerProcess>,
): Promise<Readonly<Record<string, number>>> {
  let ofReceiver = 0;
  let ofWorkers = 0;
  while (performance.now() < until) {
    await pause(1_000 + Math.random() * 6_000);
    if (Math.random() < 0.7) {
      await receiver.kill();
      await pause(Math.random() * 2_000);
      await receiver.restart();
      ofReceiver += 1;
    } else {
      const victim = Math.floor(Math.random() * workers.length);
      await workers[victim]?.kill();
      workers[victim] = await startWorker();
      ofWorkers += 1;
    }
  }
  return { 'kills of the receiver': ofReceiver, 'kills of workers': ofWorkers };
}

/**
 * What failed more often than once is due in minutes, or in half an hour. Its time is brought forward in the database,
 * which makes nothing due that was lost.
 */
async function bringForward(databaseUrl: string): Promise<number> {
  const db = openBehindTheStore(databaseUrl);
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: Date.now() })
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  await db
    .updateTable('webhooks')
    .set({ wake_at: Date.now() })
    .where('owner', 'is', null)
    .execute();
  await db.destroy();
  return Number(numUpdatedRows);
}

async function judge(
  api: MeasuredServer,
  receiver: ReceiverProcess,
  databaseUrl: string,
  counts: Readonly<Record<string, number>>,
): Promise<boolean> {
  const expected = Number(counts.jobs) * TYPES.length;
  await pause(SECOND_ATTEMPTS_MS);
  const broughtForward = await bringForward(databaseUrl);
  const began = performance.now();
  let missing = expected;
  let events: string[] = [];
  while (missing > 0 && performance.now() - began < LAST_WAIT_MS) {
    await pause(1_000);
    events = await eventIds(api);
    const taken = new Set((await receiver.taken()).map(({ id }) => id));
    missing = events.filter((id) => !taken.has(id)).length + Math.max(0, expected - events.length);
  }
  const taken = await receiver.taken();
  console.table({
    ...counts,
    events: events.length,
    'taken again': taken.length - new Set(taken.map(({ id }) => id)).size,
    'brought forward': broughtForward,
  });
  console.log(`missing: ${missing} (goal 0)`);
  return missing === 0;
}

async function eventIds(api: MeasuredServer): Promise<string[]> {
  const ids: string[] = [];
  const query = new URLSearchParams([['limit', '100'], ...TYPES.map((type) => ['type', type])]);
  for (let cursor: string | null = `evt_${'0'.repeat(26)}`; cursor !== null; ) {
    query.set('after', cursor);
    const headers = { authorization: api.authorization };
    const page = await call(api, 'GET', `/v1/events?${query}`, headers).catch(() => null);
    // Busy: the caller looks again in a second.
    if (page === null) return [];
    ids.push(...page.items.map((item: { event_id: string }) => item.event_id));
    cursor = page.next_cursor;
  }
  return ids;
}
