/** Wait in another process: a handle is JSON. */
import { Changgu, WaitTimeoutError } from '@changgu/sdk';

await using submitting = new Changgu();
const stored = JSON.stringify(await submitting.jobs.submit({ action: 'bank_c.accounts.list' }));

// … later, elsewhere:
await using waiting = new Changgu();
const job = waiting.jobs.resume<'bank_c.accounts.list'>(JSON.parse(stored));
try {
  const { jobId, finishedAt } = await job.result({ timeoutMs: 60_000 });
  console.log(`${jobId} finished at ${finishedAt}`);
} catch (error) {
  // The job continues; the error holds the token to wait again.
  if (!(error instanceof WaitTimeoutError)) throw error;
  console.log(JSON.stringify(error.resumeToken));
}
