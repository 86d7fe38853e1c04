import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedLink } from '../store/testing/seed.ts';
import { validateSubmission } from './submit.ts';
import { type JobHarness, openJobHarness } from './testing/job-harness.ts';

const FOR_BUSINESSES = 'tax_portal.c1.business_suspension';
const FOR_INDIVIDUALS = 'tax_portal.c1.income_statement';

describeStores('links have an owner', (stores) => {
  let store: Store;
  let harness: JobHarness;
  beforeAll(async () => {
    store = await stores.open();
  });
  beforeEach(async () => {
    harness = await openJobHarness(stores, store, { organization: { paid: true } });
  });

  const link = (ownerKind?: 'business' | 'individual', primary = false) =>
    seedLink(stores, harness.organizationId, {
      provider: 'tax_portal',
      primary,
      ...(ownerKind === undefined ? {} : { ownerKind }),
    });

  it.each(['sandbox', 'real_test', 'production'] as const)(
    'refuses a link of the other kind of owner in %s before it charges anything (D84, D155)',
    async (envScope) => {
      const [business, individual] = [await link('business'), await link('individual')];
      for (const [action, accountLinkId, en] of [
        [FOR_BUSINESSES, individual, 'Only businesses'],
        [FOR_INDIVIDUALS, business, 'Only individuals'],
      ] as const) {
        const request = { envScope, action, accountLinkId };
        const refusal = {
          code: 'PROVIDER_VALIDATION_ERROR',
          status: 422,
          retryable: false,
          details: {
            message: { en: expect.stringContaining(en) },
            fields: [{ loc: ['body', 'account_link_id'], type: 'value_error' }],
          },
        };
        await expect(harness.submit(request)).rejects.toMatchObject(refusal);
        const check = validateSubmission(harness.dependencies, harness.request(request));
        await expect(check).rejects.toMatchObject(refusal);
      }
      expect(await harness.countJobs()).toBe(0);
      expect(await harness.usedTokens(envScope)).toEqual({});
    },
  );

  it('refuses the link that it selects itself as well, and takes one of the right kind (D84)', async () => {
    await link('business', true);
    const individual = await link('individual');
    await expect(harness.submit({ action: FOR_INDIVIDUALS })).rejects.toMatchObject({
      code: 'PROVIDER_VALIDATION_ERROR',
    });
    await harness.submit({ action: FOR_BUSINESSES });
    await harness.submit({ action: FOR_INDIVIDUALS, accountLinkId: individual });
    expect(await harness.countJobs()).toBe(2);
  });

  it('takes links that do not say their owner, and any owner where the action does not ask (D155)', async () => {
    await harness.submit({ action: FOR_INDIVIDUALS, accountLinkId: await link() });
    for (const owner of ['business', 'individual'] as const) {
      const accountLinkId = await link(owner);
      await harness.submit({ action: 'tax_portal.c1.vat_standard', accountLinkId });
    }
    expect(await harness.countJobs()).toBe(3);
  });

  it('answers a repeated request before it looks at the owner (D20)', async () => {
    const accountLinkId = await link();
    const request = { action: FOR_INDIVIDUALS, accountLinkId, idempotencyKey: 'k' };
    const { response } = await harness.submit(request);
    await stores.execute("update account_links set owner_kind = 'business' where id = ?", [
      accountLinkId,
    ]);
    expect(await harness.submit(request)).toEqual({ replayed: true, response });
  });
});
