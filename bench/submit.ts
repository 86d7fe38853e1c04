/**
 * Claim (design "Budgets"): POST /v1/jobs with all its checks, in sandbox on SQLite with
 * synchronous=FULL, 32 connections, against bare Fastify with the same schemas in the same run.
 * With CHANGGU_BENCH_POSTGRES_URL also on PostgreSQL.
 * Run: node --conditions=@changgu/source bench/submit.ts [seconds]
 */
import { submitLoad } from './support/load.ts';
import { type MeasuredServer, startBare, startChanggu } from './support/server-process.ts';

const seconds = Number(process.argv[2] ?? 8);
const postgres = process.env.CHANGGU_BENCH_POSTGRES_URL;

async function measure(name: string, start: () => Promise<MeasuredServer>) {
  const server = await start();
  try {
    const { perSecond, p99Ms, loopP99Ms } = await submitLoad(server, seconds);
    console.log(
      `${name}: ${perSecond.toFixed(0)} requests/s, p99 ${p99Ms} ms, event loop p99 ${loopP99Ms} ms`,
    );
    return perSecond;
  } finally {
    await server.close();
  }
}

function ratio(name: string, perSecond: number, goal: number): void {
  console.log(`${name} / bare: ${(perSecond / bare).toFixed(3)} (goal ≥ ${goal})`);
}

const bare = await measure('bare Fastify', startBare);
const api = { CHANGGU_ROLE: 'api' };
ratio('SQLite', await measure('SQLite', () => startChanggu({ env: api })), 0.22);
ratio('SQLite, running the jobs too', await measure('SQLite, all', startChanggu), 0.22);
if (postgres) {
  const env = { ...api, CHANGGU_DATABASE_URL: postgres };
  ratio('PostgreSQL', await measure('PostgreSQL', () => startChanggu({ env })), 0.06);
}
