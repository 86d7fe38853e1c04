import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedLink } from '../store/testing/seed.ts';
import { cancelJob } from './cancel.ts';
import { openJobHarness } from './testing/job-harness.ts';

const LIMIT = 12;

/** Few keys and few differences, so that replays, conflicts and races are common. */
const submission = fc.record({
  key: fc.integer({ min: 0, max: 8 }),
  variant: fc.integer({ min: 0, max: 3 }).map((n) => (n === 3 ? 1 : 0)),
  // 1 or 3 tokens.
  expensive: fc.boolean(),
  link: fc.constantFrom(0, 1),
});
/** Each batch is submitted at once. */
const batches = fc.array(fc.array(submission, { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 5,
});

const ALLOWED = new Set(['IDEMPOTENCY_KEY_CONFLICT', 'POLICY_QUOTA_EXCEEDED']);

describeStores('submissions at random', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('makes one job per key, charges exactly its tokens and never exceeds the limit (R1, R4, R6, R18, R19)', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (rounds) => {
        const plans = {
          FREE: {
            real_test: { daily: LIMIT, monthly: null },
            production: { daily: 0, monthly: 0 },
          },
        };
        const harness = await openJobHarness(stores, store, { rules: { plans } });
        const links = [
          await seedLink(stores, harness.organizationId, { provider: 'tax_portal' }),
          await seedLink(stores, harness.organizationId, { provider: 'tax_portal' }),
        ];
        const jobOfKey = new Map<number, string>();
        const acceptances: string[] = [];
        const refusals = new Set<string>();
        for (const round of rounds) {
          const answers = await Promise.allSettled(
            round.map(({ key, variant, expensive, link }) =>
              harness.submit({
                envScope: 'real_test',
                idempotencyKey: String(key),
                accountLinkId: links[link] ?? null,
                action: expensive
                  ? 'tax_portal.c1.vat_standard'
                  : 'tax_portal.c1.certificates_list',
                params: { variant, business_registration_no: '1234567890' },
              }),
            ),
          );
          for (const [index, answer] of answers.entries()) {
            if (answer.status === 'rejected') {
              refusals.add(answer.reason instanceof ServiceError ? answer.reason.code : 'other');
              continue;
            }
            const key = round[index]?.key ?? -1;
            const { job_id: id } = answer.value.response;
            if (!answer.value.replayed) acceptances.push(id);
            expect(jobOfKey.get(key) ?? id).toBe(id);
            jobOfKey.set(key, id);
          }
        }
        const rows = await stores.execute(
          `select id, usage_tokens, lane, ready from jobs where organization_id = ?`,
          [harness.organizationId],
        );
        expect(rows.map(({ id }) => String(id)).toSorted()).toEqual(acceptances.toSorted());
        expect([...refusals].filter((code) => !ALLOWED.has(code))).toEqual([]);
        const charged = rows.reduce((sum, row) => sum + Number(row.usage_tokens), 0);
        expect(charged).toBeLessThanOrEqual(LIMIT);
        for (const used of Object.values(await harness.usedTokens('real_test'))) {
          expect(used).toBe(charged);
        }
        for (const lane of new Set(rows.map((row) => row.lane))) {
          const heads = rows.filter((row) => row.lane === lane && Number(row.ready) === 1);
          expect(heads).toHaveLength(1);
        }
        const access = harness.access('real_test');
        await Promise.all(acceptances.map((id) => cancelJob(store, access, id)));
        for (const used of Object.values(await harness.usedTokens('real_test')))
          expect(used).toBe(0);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 60_000);
});
