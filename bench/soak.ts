/**
 * Claim (docs/performance.md): PostgreSQL stays fast while a forgotten transaction keeps vacuum from its
 * work: throughput at the end is at least 0.8 of that at the start. Otherwise a heartbeat rewrites no index; while
 * the transaction is open, pages fill with versions that may not be removed, and the next one goes elsewhere.
 * A repeatable-read transaction stays open from before the first job to after the last; 2 worker processes.
 * Run: node --conditions=@changgu/source bench/soak.ts [seconds, default 600]
 * Fails below the goal.
 */
import { holdSnapshot } from '../packages/server/src/store/testing/pages.ts';
import { heartbeatCost } from './support/heartbeat-cost.ts';
import { startPostgres } from './support/postgres.ts';
import { soak } from './support/soak-load.ts';

const GOAL = 0.8;
const seconds = Number(process.argv[2] ?? 600);

const postgres = await startPostgres();
const heartbeat = await heartbeatCost(postgres.url);
const forgotten = await holdSnapshot(postgres.url);
const whileHeld = await heartbeatCost(postgres.url);
await forgotten.end();
console.table({ heartbeat, 'heartbeat while a snapshot is held': whileHeld });
const { windows, refused, ratio } = await soak(postgres.url, seconds);
console.table(windows);
console.log(`submissions refused with 503 and sent again: ${refused}`);
console.log(`throughput at the end against the start: ${ratio.toFixed(2)} (goal ≥ ${GOAL})`);
await postgres.close();
process.exit(ratio >= GOAL ? 0 : 1);
