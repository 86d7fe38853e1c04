/**
 * Claim (design "Budgets"): POST /v1/jobs with all its checks, in sandbox on SQLite with
 * synchronous=FULL, 32 connections, against bare Fastify with the same schemas in the same run; on
 * PostgreSQL also against a hand-written lock and statement behind the same route.
 * Run: node --conditions=@changgu/source bench/submit.ts [seconds]
 */
import { submitLoad } from './support/load.ts';
import { startPostgres } from './support/postgres.ts';
import { type MeasuredServer, startBare, startChanggu } from './support/server-process.ts';

const seconds = Number(process.argv[2] ?? 8);

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

function ratio(name: string, perSecond: number, goal: number, peer = bare): void {
  console.log(`${name}: ${(perSecond / peer).toFixed(3)} (goal ≥ ${goal})`);
}

const bare = await measure('bare Fastify', () => startBare());
const api = { CHANGGU_ROLE: 'api' };
ratio('SQLite / bare', await measure('SQLite', () => startChanggu({ env: api })), 0.22);
ratio('SQLite, running the jobs too / bare', await measure('SQLite, all', startChanggu), 0.22);

const postgres = await startPostgres();
try {
  const env = { ...api, CHANGGU_DATABASE_URL: postgres.url };
  const byHand = await measure('PostgreSQL by hand', () => startBare(postgres.url));
  const ours = await measure('PostgreSQL', () => startChanggu({ env }));
  ratio('PostgreSQL / bare', ours, 0.06);
  ratio('PostgreSQL / by hand', ours, 0.7, byHand);
} finally {
  await postgres.close();
}
