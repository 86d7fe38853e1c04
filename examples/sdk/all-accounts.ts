/** Every account of a bank, with a checkpoint before each request. */
import { type AllAccountsCheckpoint, Changgu } from '@changgu/sdk';

await using client = new Changgu();
let stored = '';

const outcomes = client.jobs.allAccounts(
  { action: 'bank_c.accounts.transaction_history.search', params: { from_date: '20261101' } },
  {
    // Awaited before each round is sent. After a crash pass the checkpoint in place of the request: no account is
    // queried twice.
    onCheckpoint: (checkpoint: AllAccountsCheckpoint) => {
      stored = JSON.stringify(checkpoint);
    },
  },
);
for await (const outcome of outcomes) {
  if (outcome.ok) console.log(`${outcome.maskedAccountNo}: ${outcome.result.schema}`);
  else console.log(`${outcome.maskedAccountNo}: ${outcome.error.message}`);
}
console.log(`last checkpoint: ${stored.length} characters`);
