import { ApiError, Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let client: Changgu;
beforeAll(async () => {
  server = await startTestServer({ env: { ORGANIZATION_STORAGE_MIB: '1' } });
  client = new Changgu({
    baseUrl: server.url,
    clientId: server.client.client_id,
    clientSecret: server.client.client_secret,
    envScope: 'sandbox',
  });
});
afterAll(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
});

const action = 'bank_b.accounts.list';

/** Each stores its params twice: as they came, and echoed in the result. */
async function fill(): Promise<number> {
  for (let accepted = 0; ; accepted += 1) {
    const { status } = await server.call('POST', '/v1/jobs', {
      key: `fill-${accepted}`,
      body: { provider: 'bank_b', action, params: { note: 'x'.repeat(60_000) } },
    });
    if (status !== 202) return accepted;
  }
}

it('stops an organization that fills the disk with sandbox jobs, and shows how full it is (D166)', async () => {
  const before = await client.membership.me();
  expect(before.storage).toEqual({ limitBytes: 1_048_576, usedBytes: 0 });
  expect(await fill()).toBeLessThan(18);
  while (
    await client.jobs.submit({ action, params: {} }).then(
      () => true,
      () => false,
    )
  );
  const refusal: unknown = await client.jobs
    .submit({ action, params: {} })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ code: 'POLICY_STORAGE_EXCEEDED', status: 429, retryable: false });
  expect(String(refusal)).toContain('1.0 MiB');
  const { storage } = await client.membership.me();
  expect(storage?.usedBytes).toBeGreaterThan(1_000_000);
});
