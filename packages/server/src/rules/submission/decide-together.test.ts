import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PeriodUsage } from '../quota/quota.ts';
import { decideSubmission, type SubmissionRows } from './decide-submission.ts';
import { type BatchDecision, type BatchedRequest, decideTogether } from './decide-together.ts';

const NOW = Date.UTC(2026, 10, 22);
const LINK = '00000000-0000-4000-8000-000000000001';

interface World {
  readonly used: number;
  readonly jobs: ReadonlyMap<string, BatchedRequest>;
}

const request = fc
  .record({
    key: fc.integer({ min: 0, max: 4 }),
    params: fc.integer({ min: 0, max: 1 }),
    usageTokens: fc.integer({ min: 1, max: 3 }),
    linkGone: fc.boolean(),
  })
  .map(
    ({ key, params, usageTokens, linkGone }): BatchedRequest => ({
      organizationId: 1,
      envScope: 'real_test',
      operation: 'submit',
      idempotencyKey: String(key),
      idempotencyAccount: '',
      provider: 'bank_b',
      action: 'bank_b.accounts.list',
      link: 'required',
      selectsAccount: false,
      ownerKind: null,
      usageTokens,
      accountLinkId: linkGone ? LINK.replace('1', '2') : LINK,
      identityWithoutLink: `hash ${params}`,
      params: '{}',
      paramsViolations: [],
      productRetired: false,
      providerConfigured: true,
      linkPurpose: 'test',
      storageLimitBytes: Number.MAX_SAFE_INTEGER,
    }),
  );

function rowsOf({ used, jobs }: World, limit: number, own: BatchedRequest): SubmissionRows {
  const before = jobs.get(own.idempotencyKey);
  const day: PeriodUsage = { kind: 'day', key: 'day:2026-11-22', limit, used, resetAt: NOW + 1 };
  return {
    now: NOW,
    organization: {
      realTestApprovedAt: 1,
      demoEndsAt: null,
      tier: 'FREE',
      planCode: 'FREE',
      subscriptionStatus: null,
      periodStartedAt: null,
      periodEndsAt: null,
      consentBlocked: false,
    },
    usages: [day],
    storedBytes: 0,
    links:
      own.accountLinkId === LINK
        ? [
            {
              id: LINK,
              provider: 'bank_b',
              isPrimary: true,
              purpose: 'test',
              ownerKind: null,
              status: 'ACTIVE',
              accountId: null,
            },
          ]
        : [],
    existing: before
      ? {
          id: `job of ${before.idempotencyKey}`,
          status: 'QUEUED',
          submittedAt: NOW,
          identityHash: '',
          identityHashWithoutLink: before.identityWithoutLink,
          linkWasOmitted: false,
        }
      : null,
  };
}

function after(world: World, accepted: BatchedRequest): World {
  return {
    used: world.used + accepted.usageTokens,
    jobs: new Map([...world.jobs, [accepted.idempotencyKey, accepted]]),
  };
}

describe('submissions that are decided together', () => {
  it('are accepted only if each were accepted after the others (R1, R4, R19)', () => {
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 10 }),
        (requests, limit) => {
          let world: World = { used: 0, jobs: new Map() };
          let waiting = requests;
          while (waiting.length > 0) {
            const start = world;
            const decisions = decideTogether(
              waiting,
              waiting.map((each) => rowsOf(start, limit, each)),
            );
            const again: BatchedRequest[] = [];
            for (const [n, each] of waiting.entries()) {
              const decision: BatchDecision = decisions[n] ?? { kind: 'again' };
              if (decision.kind === 'again') {
                again.push(each);
                continue;
              }
              const before = decision.kind === 'accept' ? world : start;
              const alone = decideSubmission(rowsOf(before, limit, each), each);
              expect(decision.kind).toBe(alone.kind);
              if (decision.kind === 'accept') world = after(world, each);
            }
            // Every batch answers at least one caller.
            expect(again.length).toBeLessThan(waiting.length);
            waiting = again;
          }
          expect(world.used).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  it('are refused when their organization is gone', () => {
    const [own] = fc.sample(request, 1);
    if (own === undefined) throw new Error('no sample');
    const [decision] = decideTogether([own], [null]);
    expect(decision).toMatchObject({
      kind: 'refuse',
      error: { code: 'AUTH_INVALID_CREDENTIALS' },
    });
  });
});
