import { describe, expect, it } from 'vitest';
import type { OrganizationPolicy } from '../organizations/policy.ts';
import { decideLines, type LineRows } from './decide-lines.ts';

const ORGANIZATION: OrganizationPolicy = {
  realTestApprovedAt: 1,
  demoEndsAt: null,
  tier: 'FREE',
  planCode: 'FREE',
  subscriptionStatus: null,
  periodStartedAt: null,
  periodEndsAt: null,
  consentBlocked: false,
};
const LINES = ['a', 'b', 'c', 'd'].map((accountId) => ({ accountId }));
const RULES = {
  envScope: 'real_test',
  usageTokens: 2,
  cap: 10,
  storageLimitBytes: 10_000,
  jobBytes: 1_000,
} as const;

function rows(changes: Partial<LineRows> & { left?: number } = {}): LineRows {
  const { left = 100, ...rest } = changes;
  return {
    now: 5,
    organization: ORGANIZATION,
    usages: [{ kind: 'day', key: 'day:1', limit: 100, used: 100 - left, resetAt: 9 }],
    storedBytes: 0,
    unfinished: 0,
    hasJob: new Map(LINES.map(({ accountId }) => [accountId, false])),
    ...rest,
  };
}

function decide(facts: LineRows, rules: Partial<{ cap: number; usageTokens: number }> = {}) {
  const { accept, gone, stop } = decideLines(facts, LINES, { ...RULES, ...rules });
  return { accept: accept.map(({ accountId }) => accountId).join(''), gone, stop };
}

describe('which lines of a link become jobs', () => {
  it('takes as many as the cap allows, and continues with later lines (R75)', () => {
    expect(decide(rows(), { cap: 3 })).toEqual({ accept: 'abc', gone: [], stop: null });
    expect(decide(rows({ unfinished: 3 }), { cap: 5 })).toEqual({
      accept: 'ab',
      gone: [],
      stop: null,
    });
    expect(decide(rows({ unfinished: 7 }), { cap: 5 }).accept).toBe('');
  });

  it('takes as many as the storage has room for; the next one stops the call (D166)', () => {
    expect(decide(rows({ storedBytes: 8_000 }))).toEqual({
      accept: 'ab',
      gone: [],
      stop: { code: 'POLICY_STORAGE_EXCEEDED', at: 'c' },
    });
    expect(decide(rows({ storedBytes: 6_000 })).stop).toBeNull();
    expect(decide(rows({ storedBytes: 20_000 }))).toMatchObject({ accept: '', stop: { at: 'a' } });
  });

  it('takes as many as the tokens pay for; the next one stops the call (R73)', () => {
    const short = rows({ left: 5 });
    expect(decide(short)).toEqual({
      accept: 'ab',
      gone: [],
      stop: {
        code: 'POLICY_QUOTA_EXCEEDED',
        at: 'c',
        now: 5,
        short: { remaining: 1, limit: 100, resetAt: 9 },
      },
    });
    expect(decide(rows({ left: 8 })).stop).toBeNull();
    expect(decide(rows({ left: 1 }))).toMatchObject({ accept: '', stop: { at: 'a' } });
  });

  it('charges nothing for a line that the cap blocks (R75)', () => {
    expect(decide(rows({ left: 4 }), { cap: 2 })).toEqual({ accept: 'ab', gone: [], stop: null });
    expect(decide(rows({ left: 0, unfinished: 2 }), { cap: 2 }).stop).toBeNull();
  });

  it('leaves lines with a job alone and names accounts that are gone (R77)', () => {
    const hasJob = new Map([
      ['a', true],
      ['c', false],
      ['d', false],
    ]);
    expect(decide(rows({ hasJob }), { cap: 1 })).toEqual({ accept: 'c', gone: ['b'], stop: null });
    expect(decide(rows({ hasJob, left: 2 }))).toMatchObject({ accept: 'c', stop: { at: 'd' } });
  });

  it('stops the call when a changed policy would refuse its next line (D127)', () => {
    const organization = { ...ORGANIZATION, consentBlocked: true };
    expect(decide(rows({ organization, left: 0 }))).toEqual({
      accept: '',
      gone: [],
      stop: { code: 'POLICY_CONSENT_REQUIRED', at: 'a' },
    });
    expect(decide(rows({ organization, unfinished: 9 }), { cap: 9 }).stop).toBeNull();
  });

  it('accepts everything without a limit or without a cost (D38)', () => {
    expect(decide(rows({ usages: [] })).accept).toBe('abcd');
    expect(decide(rows({ left: 0 }), { usageTokens: 0 }).accept).toBe('abcd');
  });
});
