import { describe, expect, it } from 'vitest';
import type { CallJobs, LinkLines } from '../store/all-accounts.ts';
import { submitLines } from './submit-lines.ts';

const CALL: CallJobs = {
  organizationId: 1,
  envScope: 'sandbox',
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
  usageTokens: 1,
  timeoutSeconds: 1,
  queueLimitSeconds: 1,
  requestHash: 'h',
  plans: {},
  cap: 10,
  capWindowSeconds: 600,
};

function links(sizes: readonly number[], params = '{}'): LinkLines[] {
  return sizes.map((size, link) => ({
    accountLinkId: `l${link}`,
    lines: Array.from({ length: size }, (_, n) => ({
      jobId: 'j',
      accountId: `l${link}-${n}`,
      params,
      identityHash: 'i',
      identityWithoutLink: 'i',
    })),
  }));
}

/** The lines per link that each transaction was given, by a store that does so many links at a time. */
async function transactions(all: readonly LinkLines[], atOnce: number): Promise<number[][]> {
  const given: number[][] = [];
  const seen: string[] = [];
  const { accepted } = await submitLines(
    {
      submit: async ({ links: batch }) => {
        const done = batch.slice(0, atOnce);
        given.push(batch.map(({ lines }) => lines.length));
        const ids = done.flatMap(({ lines }) => lines.map(({ accountId }) => accountId));
        seen.push(...ids);
        return { links: done.length, accepted: ids, gone: [], stop: null };
      },
    },
    CALL,
    all,
  );
  expect(seen).toEqual(all.flatMap(({ lines }) => lines.map(({ accountId }) => accountId)));
  expect(accepted).toBe(seen.length);
  return given;
}

describe('the transactions of an all-accounts call', () => {
  it('D136 200 lines of a few links are one, where one may hold several links', async () => {
    expect(await transactions(links([100, 60, 40]), 100)).toEqual([[100, 60, 40]]);
    expect(await transactions(links([100, 60, 40, 1]), 100)).toEqual([[100, 60, 40], [1]]);
  });

  it('D136 else each link is one, in order', async () => {
    expect(await transactions(links([2, 3]), 1)).toEqual([[2, 3], [3]]);
  });

  it('takes at most 32 links, 200 lines and 4 MiB of params at a time', async () => {
    const many = await transactions(links(Array<number>(70).fill(1)), 100);
    expect(many.map((batch) => batch.length)).toEqual([32, 32, 6]);
    expect(await transactions(links([450]), 100)).toEqual([[200], [200], [50]]);
    const large = 'x'.repeat(1_500_000);
    expect(await transactions(links([5], large), 1)).toEqual([[2, 2, 1], [2, 1], [1]]);
  });
});
