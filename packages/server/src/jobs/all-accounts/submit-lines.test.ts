import { describe, expect, it } from 'vitest';
import type { CallJobs } from '../../store/submission/all-accounts.ts';
import type { NewLine } from '../../store/submission/job-insert.ts';
import { submitLines } from './submit-lines.ts';

const CALL: CallJobs = {
  organizationId: 1,
  envScope: 'sandbox',
  laneScope: 'sandbox',
  operation: 'all_accounts',
  idempotencyKey: 'k',
  submittedBy: 'client:c',
  provider: 'bank_b',
  action: 'bank_b.accounts.transaction_history.search',
  resultSchema: 'x.v1',
  productVersionId: null,
  encryptedFields: null,
  duplicateFields: null,
  sandboxOutcome: null,
  traceContext: null,
  irreversible: false,
  usageTokens: 1,
  timeoutSeconds: 1,
  queueLimitSeconds: 1,
  requestHash: 'h',
  plans: {},
  storageLimitBytes: 1_000_000,
  jobBytes: 1,
  cap: 10,
  capWindowSeconds: 600,
};

function lines(sizes: readonly number[], params = '{}'): NewLine[] {
  return sizes.flatMap((size, link) =>
    Array.from({ length: size }, (_, n) => ({
      jobId: 'j',
      accountLinkId: `l${link}`,
      accountId: `l${link}-${n}`,
      params,
      identityHash: 'i',
      identityWithoutLink: 'i',
    })),
  );
}

/** How many lines each transaction was given; together they are all, in their order. */
async function transactions(all: readonly NewLine[]): Promise<number[]> {
  const given: NewLine[][] = [];
  const { accepted } = await submitLines(
    {
      submit: async ({ lines: batch }) => {
        given.push([...batch]);
        return { accepted: batch.map(({ accountId }) => accountId), gone: [], stop: null };
      },
    },
    CALL,
    all,
  );
  expect(given.flat()).toEqual(all);
  expect(accepted).toEqual(all);
  return given.map((batch) => batch.length);
}

describe('the transactions of an all-accounts call', () => {
  it('takes 200 lines in one transaction, of whichever link (D136)', async () => {
    expect(await transactions(lines([100, 60, 40]))).toEqual([200]);
    expect(await transactions(lines([120, 120]))).toEqual([200, 40]);
  });

  it('takes at most 32 links, 200 lines and 4 MiB of params at a time', async () => {
    expect(await transactions(lines(Array<number>(70).fill(1)))).toEqual([32, 32, 6]);
    expect(await transactions(lines([450]))).toEqual([200, 200, 50]);
    expect(await transactions(lines([3, 2], 'x'.repeat(1_500_000)))).toEqual([2, 2, 1]);
    expect(await transactions(lines([2], 'x'.repeat(5_000_000)))).toEqual([1, 1]);
  });
});
