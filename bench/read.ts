/**
 * Claim: GET /v1/jobs/{id} against bare Fastify that answers the same body. Both are processes of their
 * own, and so is the load.
 * Run: node --conditions=@changgu/source bench/read.ts [seconds]
 */
import { readLoad, submitOne } from './support/load.ts';
import { interleaved, ratio } from './support/rounds.ts';
import { startBare, startChanggu } from './support/server-process.ts';

const GOAL = 0.6;
const seconds = Number(process.argv[2] ?? 5);

const bare = await startBare();
const changgu = await startChanggu();
try {
  const jobId = await submitOne(changgu);
  const [floor, ours] = await interleaved([
    { name: 'bare Fastify', run: () => readLoad(bare, 'job_x', seconds) },
    { name: 'Changgu', run: () => readLoad(changgu, jobId, seconds) },
  ]);
  ratio(ours, floor, GOAL);
} finally {
  await bare.close();
  await changgu.close();
}
