import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealTestServer, startRealTestServer } from './support/real-test-server.ts';

let real: RealTestServer;
let folder: string;

beforeAll(async () => {
  real = await startRealTestServer();
  folder = await mkdtemp(join(tmpdir(), 'changgu-sdk-files-'));
});
afterAll(async () => {
  await real[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const action = 'bank_b.accounts.transaction_history.search';

describe('files through the SDK', () => {
  it('are saved whole, also by a URL that has expired meanwhile (R44, D68)', async () => {
    const { client } = real;
    const { items } = await client.credentials.list({ provider: 'bank_b' });
    const [link] = items;
    if (!link) throw new Error('the demo organization has no link of bank_b');
    const result = await client.jobs.run({ action, accountLinkId: link.accountLinkId });
    if (result.sandbox) throw new Error('not real_test');
    expect(result.data?.items.length).toBe(result.data?.row_count);
    const [artifact] = result.artifacts;
    if (!artifact) throw new Error('no spreadsheet');

    const first = join(folder, 'first.xlsx');
    await client.artifacts.download(artifact, { to: first });
    expect((await readFile(first)).subarray(0, 2).toString()).toBe('PK');

    await real.advance(16 * 60);
    const again = join(folder, 'again.xlsx');
    await client.artifacts.download(artifact, { to: again });
    expect(await readFile(again)).toEqual(await readFile(first));
    expect((await readdir(folder)).sort()).toEqual(['again.xlsx', 'first.xlsx']);

    expect(await client.jobs.deleteArtifacts(result.jobId)).toMatchObject({ deletedCount: 1 });
    await expect(client.artifacts.bytes(artifact)).rejects.toMatchObject({
      code: 'ARTIFACT_UNAVAILABLE',
    });
  });

  it('a secret reaches the bank, encrypted on the way (D61)', async () => {
    const { client } = real;
    const { items } = await client.credentials.list({ provider: 'bank_b' });
    const accountLinkId = items[0]?.accountLinkId;
    const wrong = client.jobs.run({ action, accountLinkId, secrets: { account_password: '0000' } });
    await expect(wrong).rejects.toMatchObject({
      name: 'JobFailedError',
      failure: { code: 'PROVIDER_CREDENTIAL_REJECTED', retryable: false },
    });
  });
});
