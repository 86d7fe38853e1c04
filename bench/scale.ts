/**
 * Claim: what one PostgreSQL carries with 1, 2 and 4 API processes (submissions a
 * second) and worker processes (jobs a second, on 200 links), beside 1,000,000 jobs that have ended.
 * All processes, the database and the load share this machine: more processes than cores show where
 * its limit is, not what more machines would give.
 * Run: node --conditions=@changgu/source bench/scale.ts [seconds] [ended jobs]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEndedJob } from '../packages/server/src/store/testing/bulk-jobs.ts';
import { end } from './support/children.ts';
import { openEngineBench } from './support/engine-bench.ts';
import { MASTER_KEY, startEngineWorker } from './support/engine-process.ts';
import { submitLoad } from './support/load.ts';
import { startPostgres } from './support/postgres.ts';
import { medianSyncMs } from './support/rounds.ts';
import { type MeasuredServer, startChanggu } from './support/server-process.ts';
import { inParallel } from './support/submissions.ts';

const PROCESSES = [1, 2, 4];
const LINKS = 200;
/** The minimum gain from twice the processes, while there are cores for them. */
const GOAL = 1.5;
const seconds = Number(process.argv[2] ?? 5);
const endedJobs = Number(process.argv[3] ?? 1_000_000);
const JOBS_PER_SECOND = 300;

const postgres = await startPostgres();
const dataDir = await mkdtemp(join(tmpdir(), 'changgu-scale-'));
const env = { CHANGGU_DATABASE_URL: postgres.url, CHANGGU_MASTER_KEY: MASTER_KEY };

/** Jobs that ended long ago, as many as requested. */
async function fillTable(): Promise<void> {
  const bench = await openEngineBench(postgres.url, 1);
  const worker = await startEngineWorker(env);
  const id = await bench.submit(0);
  await bench.allEnded();
  await end(worker, 'SIGTERM');
  await copyEndedJob(bench.db, { id, count: endedJobs });
  await bench.close();
}

/** Submissions per second that this many API processes accept together. */
async function submissions(processes: number): Promise<number> {
  const servers: MeasuredServer[] = [];
  // One after another: the first creates the demo organization that all serve.
  for (let n = 0; n < processes; n += 1) {
    servers.push(await startChanggu({ dataDir, env: { ...env, CHANGGU_ROLE: 'api' } }));
  }
  const results = await Promise.all(servers.map((server) => submitLoad(server, seconds)));
  for (const server of servers) await server.close();
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

/** Jobs per second that this many worker processes run, from the first claim to the last end. */
async function jobs(processes: number): Promise<number> {
  const bench = await openEngineBench(postgres.url, LINKS);
  const count = seconds * JOBS_PER_SECOND;
  const orders = Array.from({ length: count }, (_, order) => order);
  await inParallel(orders, 32, bench.submit);
  const workers = await Promise.all(
    Array.from({ length: processes }, () => startEngineWorker(env)),
  );
  const began = performance.now();
  await bench.allEnded();
  const perSecond = count / ((performance.now() - began) / 1_000);
  for (const worker of workers) await end(worker, 'SIGTERM');
  await bench.close();
  return perSecond;
}

console.log(
  `${availableParallelism()} cores, fdatasync: median ${(await medianSyncMs()).toFixed(2)} ms`,
);
await fillTable();
const table: Record<number, Record<string, number>> = {};
for (const processes of PROCESSES) {
  table[processes] = {
    'submissions/s': Math.round(await submissions(processes)),
    'jobs/s': Math.round(await jobs(processes)),
  };
}
console.log(`beside ${endedJobs.toLocaleString('en')} ended jobs, by number of processes`);
console.table(table);
for (const what of ['submissions/s', 'jobs/s']) {
  const twice = (table[2]?.[what] ?? 0) / (table[1]?.[what] ?? Number.NaN);
  console.log(`${what}, two processes / one: ${twice.toFixed(2)} (goal ≥ ${GOAL} with four cores)`);
}
await postgres.close();
await rm(dataDir, { recursive: true, force: true });
