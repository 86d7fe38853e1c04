/** One institution call: submit, wait, read. Connection and credentials come from CHANGGU_* variables. */
import { Changgu } from '@changgu/sdk';

await using client = new Changgu();

const job = await client.jobs.submit({
  action: 'bank_b.accounts.transaction_history.search',
  params: { from_date: '20261101', to_date: '20261120', direction: 'in' },
});
console.log(`submitted ${job.id}`);

const result = await job.result({
  timeoutMs: 60_000,
  onProgress: ({ status, progress, progressMessage }) =>
    console.log(`${status} ${progress} % ${progressMessage ?? ''}`),
});

// In sandbox the service echoes what was sent; elsewhere `data` has the type of the action.
if (result.sandbox) console.log('echo', result.data.params_echo);
else console.log('rows', result.data?.row_count);
