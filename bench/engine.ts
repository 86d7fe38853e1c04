/**
 * Claim: submitting jobs and running them to their end on PostgreSQL with 2 worker
 * processes, on 200 links, on one, and without any, against graphile-worker with named queues in the
 * same run, which keeps no quota, key, state or result. Both sides tell of the ends themselves.
 * Run: node --conditions=@changgu/source bench/engine.ts [jobs] [rounds]
 */
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeWorkerUtils } from 'graphile-worker';
import { end } from './support/children.ts';
import { openEngineBench } from './support/engine-bench.ts';
import { startEngineWorker, startScript } from './support/engine-process.ts';
import { startPostgres } from './support/postgres.ts';
import { medianSyncMs } from './support/rounds.ts';
import { inParallel } from './support/submissions.ts';

const GOAL = 2;
const WORKERS = 2;
const AT_ONCE = 32;
const jobs = Number(process.argv[2] ?? 5_000);
const rounds = Number(process.argv[3] ?? 3);
const GRAPHILE = fileURLToPath(new URL('./support/graphile-worker.ts', import.meta.url));

interface Shape {
  readonly name: string;
  readonly links: number;
  readonly jobs: number;
}

const SHAPES: readonly Shape[] = [
  { name: '200 links', links: 200, jobs },
  // One job after another, so fewer suffice.
  { name: 'one link', links: 1, jobs: Math.ceil(jobs / 10) },
  { name: 'no link', links: 0, jobs },
];

const postgres = await startPostgres();

function startWorkers(start: () => Promise<ChildProcess>): Promise<ChildProcess[]> {
  return Promise.all(Array.from({ length: WORKERS }, start));
}

async function stopWorkers(workers: readonly ChildProcess[]): Promise<void> {
  for (const worker of workers) await end(worker, 'SIGTERM');
}

function ordersOf(shape: Shape): number[] {
  return Array.from({ length: shape.jobs }, (_, order) => order);
}

/** Jobs per second, from the first submission to the last end. */
async function measureChanggu(shape: Shape): Promise<number> {
  const bench = await openEngineBench(postgres.url, shape.links);
  const env = { CHANGGU_DATABASE_URL: postgres.url };
  const workers = await startWorkers(() => startEngineWorker(env));
  const began = performance.now();
  await inParallel(ordersOf(shape), AT_ONCE, bench.submit);
  await bench.allEnded();
  const seconds = (performance.now() - began) / 1_000;
  await stopWorkers(workers);
  await bench.close();
  return shape.jobs / seconds;
}

async function measureGraphile(shape: Shape): Promise<number> {
  const env = { BENCH_POSTGRES_URL: postgres.url };
  const utils = await makeWorkerUtils({ connectionString: postgres.url });
  await utils.migrate();
  const workers = await startWorkers(() => startScript(GRAPHILE, env));
  const completed = new Map<ChildProcess, number>();
  const all = Promise.withResolvers<void>();
  for (const worker of workers) {
    worker.on('message', (count) => {
      completed.set(worker, Number(count));
      const sum = [...completed.values()].reduce((a, b) => a + b, 0);
      if (sum >= shape.jobs) all.resolve();
    });
  }
  const began = performance.now();
  await inParallel(ordersOf(shape), AT_ONCE, async (order) => {
    const queue = shape.links === 0 ? {} : { queueName: `link-${order % shape.links}` };
    await utils.addJob('run', { order }, queue);
  });
  await all.promise;
  const seconds = (performance.now() - began) / 1_000;
  await stopWorkers(workers);
  await utils.release();
  return shape.jobs / seconds;
}

console.log(`fdatasync: median ${(await medianSyncMs()).toFixed(2)} ms`);
for (const shape of SHAPES) {
  const table: Record<string, number>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const graphile = await measureGraphile(shape);
    const changgu = await measureChanggu(shape);
    table.push({
      'graphile jobs/s': Math.round(graphile),
      'changgu jobs/s': Math.round(changgu),
      ratio: Number((changgu / graphile).toFixed(2)),
    });
  }
  console.log(shape.name);
  console.table(table);
  const ratios = table.map(({ ratio = 0 }) => ratio).sort((a, b) => a - b);
  console.log(`median ratio ${ratios[Math.floor(ratios.length / 2)]} (goal ≥ ${GOAL})`);
}
await postgres.close();
