/**
 * Claim (design "The engine"): whatever is killed, accepted jobs are not lost, lanes stay serial and in order,
 * tokens exact, and nothing irreversible takes effect twice.
 *
 * PostgreSQL: 2 API processes and 4 workers, 20,000 jobs on 200 links, one key in ten sent twice,
 * workers killed at random. SQLite: one server killed 20 times in mid-stream.
 * Run: node --conditions=@changgu/source bench/chaos.ts [--short]
 * Fails when anything is counted that may not be.
 */
import { chaosOnPostgres } from './support/chaos-postgres.ts';
import type { ChaosReport } from './support/chaos-report.ts';
import { chaosOnSqlite } from './support/chaos-sqlite.ts';

const short = process.argv.includes('--short');

function print(name: string, { broken, counts, seconds }: ChaosReport): boolean {
  console.log(`\n${name}: ${seconds.toFixed(1)} s`);
  console.table(counts);
  console.table(broken);
  return Object.values(broken).every((count) => count === 0);
}

const size = short
  ? { jobs: 600, links: 40, kills: 2, workers: 2 }
  : { jobs: 20_000, links: 200, kills: 20, workers: 4 };
const onPostgres = print('PostgreSQL', await chaosOnPostgres(size));
const onSqlite = print(
  'SQLite',
  await chaosOnSqlite(
    short ? { jobs: 300, links: 20, kills: 2 } : { jobs: 6_000, links: 100, kills: 20 },
  ),
);
process.exit(onPostgres && onSqlite ? 0 : 1);
