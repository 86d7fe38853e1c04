/** Follow a job, and stop at any time. */
import { Changgu } from '@changgu/sdk';

await using client = new Changgu();
const job = await client.jobs.submit({ action: 'bank_a.accounts.list' });

// Leaving the loop ends the polling. All who wait on one handle share its requests.
for await (const { status, progress } of job.events({ signal: AbortSignal.timeout(60_000) })) {
  console.log(status, progress);
}

const other = await client.jobs.submit({ action: 'bank_a.accounts.list' });
const stop = new AbortController();
stop.abort(new Error('changed my mind'));
// An abort ends the wait; the job continues unless `cancelOnAbort` is set.
await other.wait({ signal: stop.signal }).catch((error: Error) => console.log(error.name));
