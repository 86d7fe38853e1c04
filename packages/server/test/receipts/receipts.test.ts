import { createHash } from 'node:crypto';
import { type ReceiptKeys, verifyReceipts } from '@changgu/sdk';
import { demoCertificates } from '@changgu/simulators';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failureOf } from '../support/job-failure.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const LOGIN = 'tax_portal.s1.login';
const CERTIFICATE = 'tax_portal.c1.vat_standard';

let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer();
  await real.client.jobs.run({ action: LOGIN });
});
afterAll(() => real[Symbol.asyncDispose]());

async function issue() {
  return real.client.jobs.run({ action: CERTIFICATE, params: {} });
}

it('comes with the result of an issued certificate, and plain JOSE verifies it', async () => {
  const { jobId, receipt, artifacts } = await issue();
  const jwks = createRemoteJWKSet(new URL('/v1/receipts/keys', real.server.url));
  const { payload } = await compactVerify(receipt ?? '', jwks);
  const statement = JSON.parse(new TextDecoder().decode(payload));
  const file = await fetch(artifacts[0]?.downloadUrl ?? '');
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(statement).toMatchObject({
    organization_id: real.server.organizationId,
    job_id: jobId,
    principal: { kind: 'client', id: real.server.client.client_id },
    action: CERTIFICATE,
    outcome: { status: 'SUCCEEDED', had_effect: 'yes' },
    files: [{ sha256: createHash('sha256').update(bytes).digest('hex') }],
  });
  const single = await real.client.receipts.get(jobId);
  expect(single).toMatchObject({ receipt, statement: { jobId } });
});

it('is there too when the outcome is unknown, and not for what only reads', async () => {
  const certificate = demoCertificates.magic['0999'];
  const accountLinkId = await real.linkCertificate('tax_portal', certificate);
  const login = await real.client.jobs.run({ action: LOGIN, accountLinkId });
  expect(login.receipt).toBeNull();
  const missing = real.client.receipts.get(login.jobId);
  await expect(missing).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND', status: 404 });
  const failure = await failureOf(real.client.jobs.run({ action: CERTIFICATE, accountLinkId }));
  expect(failure.code).toBe('PROVIDER_OUTCOME_UNCONFIRMED');
  let last: Awaited<ReturnType<typeof real.client.receipts.get>> | undefined;
  for await (const one of real.client.receipts.each({ limit: 1 })) last = one;
  expect(last?.statement.outcome).toEqual({
    status: 'FAILED',
    errorCode: 'PROVIDER_OUTCOME_UNCONFIRMED',
    hadEffect: 'unknown',
  });
});

it('shows what is missing, altered or put in between, without asking the service', async () => {
  await issue();
  await issue();
  const receipts: string[] = [];
  for await (const { receipt } of real.client.receipts.each()) receipts.push(receipt);
  const keys = await real.client.receipts.keys();
  const [first = '', second = '', third = '', ...rest] = receipts;
  expect(await verifyReceipts(receipts.toReversed(), keys)).toMatchObject({
    valid: true,
    missing: [],
  });
  expect(await verifyReceipts([first, third, ...rest], keys)).toMatchObject({
    valid: false,
    missing: [{ organizationId: real.server.organizationId, from: 2, to: 2 }],
  });
  expect(await faults([altered(first)], keys)).toEqual(['wrong_signature']);
  expect(await faults(['no receipt', 'a.b.c'], keys)).toEqual(['malformed', 'malformed']);
  expect(await faults([first], { keys: [] })).toEqual(['unknown_key']);
  expect(await faults([first, second], keys)).toEqual([null, null]);
});

async function faults(receipts: string[], keys: ReceiptKeys) {
  return (await verifyReceipts(receipts, keys)).receipts.map(({ fault }) => fault);
}

/** Says that nothing took effect, under the old signature. */
function altered(jws: string): string {
  const [header, payload = '', signature] = jws.split('.');
  const text = Buffer.from(payload, 'base64url').toString();
  const forged = Buffer.from(text.replace('"had_effect":"yes"', '"had_effect":"no"'));
  return [header, forged.toString('base64url'), signature].join('.');
}
