/** Every account of a bank, resumable after a crash at any point. */
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AllAccountsCheckpoint, Changgu } from '@changgu/sdk';

await using client = new Changgu();
const file = join(await mkdtemp(join(tmpdir(), 'changgu-')), 'checkpoint.json');

/** Renamed when it is whole: a crash while it is written leaves the checkpoint before it. */
async function store(checkpoint: AllAccountsCheckpoint): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(checkpoint));
  await rename(`${file}.new`, file);
}

/** Null before the first: a file that cannot be read must not begin everything anew. */
async function readStored(): Promise<AllAccountsCheckpoint | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : JSON.parse(text);
}

async function runToTheEnd(): Promise<void> {
  const checkpoint = await readStored();
  const request = {
    action: 'bank_c.accounts.transaction_history.search',
    params: { from_date: '20261101', to_date: '20261120' },
  } as const;
  const outcomes = client.jobs.allAccounts(checkpoint ?? request, {
    // Awaited before each round is sent and after it is answered: what is stored names every job that was submitted.
    onCheckpoint: store,
  });
  for await (const outcome of outcomes) {
    // After a crash an account may come a second time, from the same job. It is never queried twice.
    if (outcome.ok) console.log(`${outcome.maskedAccountNo}: ${outcome.result.schema}`);
    else console.log(`${outcome.maskedAccountNo}: ${outcome.error.message}`);
  }
}

await runToTheEnd();
console.log(
  'Starting again from the stored checkpoint gives the accounts that it still names, from the same jobs:',
);
await runToTheEnd();
