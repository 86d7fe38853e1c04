/**
 * Claim (design "Budgets"): GET /v1/jobs/{id} against bare Fastify that answers the same body.
 * Run: node --conditions=@changgu/source bench/read.ts [seconds]
 */
import { readLoad, submitOne } from './support/load.ts';
import { startBare, startChanggu } from './support/server-process.ts';

const seconds = Number(process.argv[2] ?? 8);

const bare = await startBare();
const floor = await readLoad(bare, 'job_x', seconds);
await bare.close();
console.log(`bare Fastify: ${floor.perSecond.toFixed(0)} requests/s`);

const changgu = await startChanggu();
const { perSecond, p99Ms, loopP99Ms } = await readLoad(changgu, await submitOne(changgu), seconds);
await changgu.close();
console.log(
  `Changgu: ${perSecond.toFixed(0)} requests/s, p99 ${p99Ms} ms, event loop p99 ${loopP99Ms} ms`,
);
console.log(`Changgu / bare: ${(perSecond / floor.perSecond).toFixed(3)} (goal ≥ 0.5)`);
