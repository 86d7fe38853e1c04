/** Store a submission before sending it: a crash in between never submits twice. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Changgu } from '@changgu/sdk';

await using client = new Changgu();
const folder = await mkdtemp(join(tmpdir(), 'outbox-'));
const file = join(folder, 'submission.json');

// Key and bytes are fixed here. Secrets are encrypted here, once: the file holds ciphertext.
const prepared = await client.jobs.prepare({
  action: 'bank_b.accounts.transaction_history.search',
  secrets: { account_password: '1234' },
});
await writeFile(file, JSON.stringify(prepared));

// However often it is sent, also by another process after a crash: one job.
const stored = async () => JSON.parse(await readFile(file, 'utf8'));
const first = await client.jobs.submit(await stored());
const again = await client.jobs.submit(await stored());
console.log(first.id === again.id, again.replayed);
await rm(folder, { recursive: true });
