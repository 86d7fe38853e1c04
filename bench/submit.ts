/**
 * Claim: POST /v1/jobs with all its checks, in sandbox, every acceptance on the disk before its answer,
 * 32 connections, against bare Fastify with the same schemas; on PostgreSQL also against a hand-written
 * lock and statement behind the same route. All servers are processes of their own, and so is the load.
 * Run: node --conditions=@changgu/source bench/submit.ts [seconds]
 */
import { submitLoad } from './support/load.ts';
import { startPostgres } from './support/postgres.ts';
import { interleaved, medianSyncMs, ratio } from './support/rounds.ts';
import { type MeasuredServer, startBare, startChanggu } from './support/server-process.ts';

const GOALS = { sqlite: 0.35, postgres: 0.15, byHand: 2 };
const seconds = Number(process.argv[2] ?? 5);

const api = { CHANGGU_ROLE: 'api' };
const postgres = await startPostgres();
const servers: MeasuredServer[] = [];
const contender = async (name: string, started: Promise<MeasuredServer>) => {
  const server = await started;
  servers.push(server);
  return { name, run: () => submitLoad(server, seconds) };
};
try {
  const env = { ...api, CHANGGU_DATABASE_URL: postgres.url };
  console.log(`fdatasync: median ${(await medianSyncMs()).toFixed(2)} ms`);
  const [bare, sqlite, all, byHand, ours] = await interleaved([
    await contender('bare Fastify', startBare()),
    await contender('SQLite', startChanggu({ env: api })),
    await contender('SQLite, running the jobs too', startChanggu()),
    await contender('PostgreSQL by hand', startBare(postgres.url)),
    await contender('PostgreSQL', startChanggu({ env })),
  ]);
  ratio(sqlite, bare, GOALS.sqlite);
  ratio(all, bare, GOALS.sqlite);
  ratio(ours, bare, GOALS.postgres);
  ratio(ours, byHand, GOALS.byHand);
} finally {
  for (const server of servers) await server.close();
  await postgres.close();
}
