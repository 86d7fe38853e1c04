import { describe, expect, it } from 'vitest';
import { afterJob, awaitsTrial, type Breaker, CLOSED, verdictOf } from './breaker.ts';

function fail(times: readonly number[], from: Breaker = CLOSED): Breaker {
  return times.reduce(
    (breaker, at) => afterJob(breaker, { id: `j${at}`, verdict: 'failed', at }),
    from,
  );
}

const OPEN = fail([0, 1_000, 2_000, 3_000, 4_000]);

describe('circuit breaker (D156)', () => {
  it('opens for half a minute after five upstream failures in a row within a minute', () => {
    expect(fail([0, 1, 2, 3]).openUntil).toBeNull();
    expect(OPEN.openUntil).toBe(34_000);
    expect(fail([0, 10_000, 20_000, 30_000, 61_000]).openUntil).toBeNull();
    expect(fail([0, 10_000, 20_000, 30_000, 61_000, 62_000]).openUntil).toBe(92_000);
  });

  it('forgets failures when the institution answers, not when it was not called', () => {
    const four = fail([0, 1, 2, 3]);
    expect(afterJob(four, { id: 'j', verdict: 'answered', at: 4 })).toBe(CLOSED);
    const unasked = afterJob(four, { id: 'j', verdict: 'unknown', at: 4 });
    expect(fail([5], unasked).openUntil).not.toBeNull();
  });

  it('lets one trial job decide', () => {
    expect(awaitsTrial(OPEN, 33_999)).toBe(false);
    expect(awaitsTrial(OPEN, 34_000)).toBe(true);
    const trial = { ...OPEN, trialJobId: 'trial' };
    expect(awaitsTrial(trial, 40_000)).toBe(false);
    const job = { id: 'trial', at: 40_000 };
    expect(afterJob(trial, { ...job, verdict: 'answered' })).toBe(CLOSED);
    expect(afterJob(trial, { ...job, verdict: 'failed' }).openUntil).toBe(70_000);
    expect(awaitsTrial(afterJob(trial, { ...job, verdict: 'unknown' }), 40_001)).toBe(true);
    // Others that were still running do not decide.
    expect(afterJob(trial, { id: 'other', verdict: 'failed', at: 40_000 }).trialJobId).toBe(
      'trial',
    );
  });

  it('leaves an institution alone for as long as it asked, and at most ten minutes', () => {
    const asked = afterJob(CLOSED, { id: 'j', verdict: 'failed', at: 0, leaveAloneMs: 90_000 });
    expect([asked.openUntil, awaitsTrial(asked, 89_999)]).toEqual([90_000, false]);
    expect(awaitsTrial(asked, 90_000)).toBe(true);
    const year = { id: 'j', verdict: 'unknown', at: 0, leaveAloneMs: 365 * 86_400_000 } as const;
    expect(afterJob(CLOSED, year).openUntil).toBe(600_000);
    // What it asked before is not shortened by what it asks now.
    const again = { id: 'k', verdict: 'failed', at: 10_000, leaveAloneMs: 1_000 } as const;
    expect(afterJob(asked, again).openUntil).toBe(90_000);
  });

  it('leaves it alone also when a job that ran before is answered', () => {
    const asked = afterJob(CLOSED, { id: 'j', verdict: 'failed', at: 0, leaveAloneMs: 90_000 });
    const early = afterJob(asked, { id: 'other', verdict: 'answered', at: 50_000 });
    expect(early).toEqual({ ...CLOSED, openUntil: 90_000, askedUntil: 90_000 });
    const trial = { ...early, trialJobId: 'trial' };
    expect(afterJob(trial, { id: 'trial', verdict: 'answered', at: 91_000 })).toBe(CLOSED);
  });

  it('counts only failures of the institution', () => {
    expect(verdictOf('FAILED', 'PROVIDER_UPSTREAM_ERROR')).toBe('failed');
    expect(verdictOf('FAILED', 'PROVIDER_MAINTENANCE')).toBe('failed');
    expect(verdictOf('SUCCEEDED', undefined)).toBe('answered');
    expect(verdictOf('FAILED', 'PROVIDER_VALIDATION_ERROR')).toBe('answered');
    expect(verdictOf('FAILED', 'PROVIDER_CREDENTIAL_REJECTED')).toBe('unknown');
    expect(verdictOf('CANCELED', undefined)).toBe('unknown');
  });
});
