/**
 * Claim: whatever is killed, accepted jobs are not lost, lanes stay serial and in order,
 * tokens exact, and nothing irreversible takes effect twice.
 *
 * PostgreSQL: 2 API processes and 4 workers, 20,000 jobs on 200 links, one key in ten sent twice,
 * workers killed at random. SQLite: one server killed 20 times in mid-stream. Then faults that kill no process:
 * a worker stopped, connections frozen, a clock that is off, a full disk, PostgreSQL restarted and out of
 * connections; each with the seconds until work continued.
 * Its servers are the build where that is up to date.
 * Run: node --conditions=@changgu/source bench/chaos.ts [--short]
 * Fails when any count that must be zero is not, and when a step takes too long, with what it waited for.
 */
import { COLLATION, runPostgres } from '../packages/server/src/store/testing/run-postgres.ts';
import type { FaultReport } from './support/chaos/fault-jobs.ts';
import {
  FAULTS_OF_A_WORKER,
  FAULTS_OF_THE_DATABASE,
  type Fault,
  withFault,
} from './support/chaos/faults.ts';
import { withFullDisk } from './support/chaos/full-disk.ts';
import { chaosOnPostgres } from './support/chaos/postgres.ts';
import type { ChaosReport } from './support/chaos/report.ts';
import { chaosOnSqlite } from './support/chaos/sqlite.ts';

const short = process.argv.includes('--short');

function print(name: string, { broken, counts, seconds }: ChaosReport): boolean {
  console.log(`\n${name}: ${seconds.toFixed(1)} s`);
  console.table(counts);
  console.table(broken);
  return Object.values(broken).every((count) => count === 0);
}

const limitSeconds = short ? 180 : 3_600;
const size = short
  ? { jobs: 600, links: 40, kills: 2, workers: 2, limitSeconds }
  : { jobs: 20_000, links: 200, kills: 20, workers: 4, limitSeconds };
const ofSqlite = short
  ? { jobs: 300, links: 20, kills: 2, limitSeconds }
  : { jobs: 6_000, links: 100, kills: 20, limitSeconds };
// One after another: in parallel they would wait for the processor instead of for the fault.
const passed = [await kills(), await faultsPass(short ? 160 : 2_000)];
process.exit(passed.every(Boolean) ? 0 : 1);

async function kills(): Promise<boolean> {
  return (
    print('PostgreSQL', await chaosOnPostgres(size)) &&
    print('SQLite', await chaosOnSqlite(ofSqlite))
  );
}

/** All faults except killed processes. */
async function faultsPass(jobs: number): Promise<boolean> {
  const postgres = await runPostgres({ initdb: COLLATION });
  const reports: Record<string, FaultReport> = {};
  const full = withFullDisk(jobs).then((report) => {
    if (report === null) console.log('\ndisk full: skipped, because nothing may be mounted here');
    else reports['disk full for 2 s, SQLite'] = report;
  });
  const report = async (fault: Fault) => {
    reports[fault.name] = await withFault(fault, postgres, jobs);
  };
  await Promise.all([full, ...FAULTS_OF_A_WORKER.map(report)]);
  for (const fault of FAULTS_OF_THE_DATABASE) await report(fault);
  await postgres.close();
  console.table(reports);
  return Object.values(reports).every(
    (each) => each.lost + each.twice + each['lane overlaps'] + each.stuck === 0,
  );
}
