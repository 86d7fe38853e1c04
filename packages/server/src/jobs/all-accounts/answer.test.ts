import { describe, expect, it } from 'vitest';
import type { Stop } from '../../rules/all-accounts/decide-lines.ts';
import type { LineAccount } from '../../rules/all-accounts/plan-call.ts';
import { allAccountsResponse, type CallOutcome } from './answer.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');
const SHORT = { remaining: 1, limit: 10 } as const;

function account(id: string, jobId: string | null = null): LineAccount {
  const job = jobId === null ? null : { id: jobId, status: 'RUNNING' as const };
  return { accountLinkId: 'l', id, maskedAccountNo: '1*1', job };
}

function answer(changes: Partial<CallOutcome>) {
  return allAccountsResponse({
    envScope: 'real_test',
    provider: 'bank_d',
    action: 'x',
    usageTokens: 2,
    now: NOW,
    accounts: [],
    stop: null,
    language: 'ko',
    ...changes,
  });
}

function quotaStop(at: string, resetAt: number): Stop {
  return { code: 'POLICY_QUOTA_EXCEEDED', at, short: { ...SHORT, resetAt }, now: NOW };
}

describe('the all-accounts answer', () => {
  it('blocked lines before the stop stay blocked, those after it are interrupted (R73)', () => {
    const accounts = [account('a', 'j1'), account('b'), account('c'), account('d', 'j2')];
    const response = answer({ accounts, stop: quotaStop('c', NOW + 7_200_000) });
    expect(response.accounts.map(({ status, reason }) => reason ?? status)).toEqual([
      'RUNNING',
      'over_concurrency_limit',
      'interrupted',
      'RUNNING',
    ]);
    expect(response.next?.bank_account_credential_ids).toEqual(['b', 'c']);
    expect(response.interruption).toEqual({
      code: 'POLICY_QUOTA_EXCEEDED',
      message: expect.stringMatching(/계좌 2개에 필요한 토큰은 4개, 남은 토큰은 1개/),
      reason: 'quota_race',
    });
    expect(response.next?.message).toMatch(/^먼저 중단된 원인을 해결하십시오/);
  });

  it('suggests waiting for the reset, at most an hour, or ten seconds for the cap (D45)', () => {
    const seconds = (stop: Stop | null) =>
      answer({ accounts: [account('a')], stop }).next?.retry_after_seconds;
    expect(seconds(null)).toBe(10);
    expect(seconds(quotaStop('a', NOW + 7_200_000))).toBe(3_600);
    expect(seconds(quotaStop('a', NOW + 59_001))).toBe(60);
    expect(seconds(quotaStop('a', NOW - 5))).toBe(1);
    expect(seconds({ code: 'SERVICE_UNAVAILABLE', at: 'a' })).toBe(10);
  });

  it('uses the text of the code for other causes (D127)', () => {
    const stop = { at: 'a' };
    const accounts = [account('a')];
    const language = 'en' as const;
    const broken = answer({ accounts, language, stop: { ...stop, code: 'SERVICE_UNAVAILABLE' } });
    expect(broken.interruption).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is temporarily unavailable.',
      reason: 'store_error',
    });
    expect(broken.next?.message).toMatch(/^Fix the cause/);
    const unpaid = answer({ accounts, stop: { ...stop, code: 'POLICY_PAID_REQUIRED' } });
    expect(unpaid.interruption?.reason).toBeNull();
  });

  it('has no next and no interruption when nothing is open (R65)', () => {
    const stop = quotaStop('a', NOW);
    const response = answer({ accounts: [account('a', 'j')], stop });
    expect(response.next).toBeNull();
    expect(Object.hasOwn(response, 'interruption')).toBe(false);
  });
});
