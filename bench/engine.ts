/**
 * Claim (design "Budgets"): submitting jobs on 200 links and running them to their end on
 * PostgreSQL with 2 worker processes, against graphile-worker's named queues in the same run, which
 * keeps no quota, key, state or result.
 * Run: node --conditions=@changgu/source bench/engine.ts [jobs] [rounds]
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeWorkerUtils } from 'graphile-worker';
import { sql } from 'kysely';
import { openBehindTheStore } from '../packages/server/src/store/testing/behind-the-store.ts';
import { openEngineBench } from './support/engine-bench.ts';
import { end, startEngineWorker, startScript } from './support/engine-process.ts';
import { startPostgres } from './support/postgres.ts';
import { inParallel } from './support/submissions.ts';

const LINKS = 200;
const WORKERS = 2;
const AT_ONCE = 32;
const jobs = Number(process.argv[2] ?? 5_000);
const rounds = Number(process.argv[3] ?? 3);
const GRAPHILE = fileURLToPath(new URL('./support/graphile-worker.ts', import.meta.url));

const postgres = await startPostgres();
const orders = Array.from({ length: jobs }, (_, order) => order);

/** Jobs per second, from the first submission to the last end. */
async function measureChanggu(): Promise<number> {
  const bench = await openEngineBench(postgres.url, LINKS);
  const env = { CHANGGU_DATABASE_URL: postgres.url };
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startEngineWorker(env)));
  const began = performance.now();
  await inParallel(orders, AT_ONCE, bench.submit);
  await bench.allEnded();
  const seconds = (performance.now() - began) / 1_000;
  for (const worker of workers) await end(worker, 'SIGTERM');
  await bench.close();
  return jobs / seconds;
}

async function measureGraphile(): Promise<number> {
  const env = { BENCH_POSTGRES_URL: postgres.url };
  const utils = await makeWorkerUtils({ connectionString: postgres.url });
  await utils.migrate();
  const db = openBehindTheStore(postgres.url);
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () => startScript(GRAPHILE, env)),
  );
  const began = performance.now();
  await inParallel(orders, AT_ONCE, async (order) => {
    await utils.addJob('run', { order }, { queueName: `link-${order % LINKS}` });
  });
  for (;;) {
    const { rows } = await sql`select 1 from graphile_worker.jobs limit 1`.execute(db);
    if (rows.length === 0) break;
    await pause(1);
  }
  const seconds = (performance.now() - began) / 1_000;
  for (const worker of workers) await end(worker, 'SIGTERM');
  await db.destroy();
  await utils.release();
  return jobs / seconds;
}

const table: Record<string, number>[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const graphile = await measureGraphile();
  const changgu = await measureChanggu();
  table.push({
    'graphile jobs/s': Math.round(graphile),
    'changgu jobs/s': Math.round(changgu),
    ratio: Number((changgu / graphile).toFixed(2)),
  });
}
console.table(table);
const ratios = table.map(({ ratio = 0 }) => ratio).sort((a, b) => a - b);
console.log(`median ratio ${ratios[Math.floor(ratios.length / 2)]} (goal ≥ 0.6)`);
await postgres.close();
