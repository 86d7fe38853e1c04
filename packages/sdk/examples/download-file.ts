/** Files of a job: streamed, resumed, checked, saved in one step. Needs a client with real_test. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Changgu } from '@changgu/sdk';

await using client = new Changgu({ envScope: 'real_test' });
const folder = await mkdtemp(join(tmpdir(), 'files-'));

const { items } = await client.credentials.list({ provider: 'bank_c' });
const { artifacts } = await client.jobs.run(
  {
    action: 'bank_c.accounts.transaction_history.search',
    accountLinkId: items[0]?.accountLinkId,
  },
  { timeoutMs: 60_000 },
);
for (const artifact of artifacts) {
  const to = join(folder, artifact.name);
  // A broken connection resumes where it stopped, an expired URL is renewed, the SHA-256 is checked before the rename.
  await client.artifacts.download(artifact, { to });
  console.log(`${artifact.name}: ${(await stat(to)).size} bytes`);
}
await rm(folder, { recursive: true });
