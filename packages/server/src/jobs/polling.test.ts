import { isEndState, JOB_STATES } from '@changgu/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownMessage, shownProgress } from './progress.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { formatSandboxOutcome, parseSandboxOutcome } from './sandbox-outcome.ts';

const facts = fc.record({
  status: fc.constantFrom(...JOB_STATES),
  progress: fc.integer({ min: 0, max: 100 }),
  progressMessage: fc.option(fc.constant('은행에 접속하고 있습니다')),
  jobsAhead: fc.nat(40),
  heldBack: fc.nat(1),
});

describe('polling', () => {
  it('R23 progress is 10–25 queued, 30–90 running, 100 at the end', () => {
    fc.assert(
      fc.property(facts, (job) => {
        const shown = shownProgress(job);
        const [low, high] =
          job.status === 'QUEUED' ? [10, 25] : job.status === 'RUNNING' ? [30, 90] : [100, 100];
        expect(shown).toBeGreaterThanOrEqual(low);
        expect(shown).toBeLessThanOrEqual(high);
      }),
    );
  });

  it('R24 message and retry_after_seconds are null exactly at the end', () => {
    fc.assert(
      fc.property(facts, fc.nat(1e6), (job, age) => {
        const seconds = retryAfterSeconds(job.status, 0, age);
        expect(seconds === null).toBe(isEndState(job.status));
        expect(seconds ?? 1).toBeGreaterThan(0);
        const hasMessage = shownMessage(job) !== null;
        expect(hasMessage && isEndState(job.status)).toBe(false);
        expect(hasMessage || job.status !== 'QUEUED').toBe(true);
      }),
    );
    expect(retryAfterSeconds('RUNNING', 0, 19_999)).toBe(2);
    expect(retryAfterSeconds('RUNNING', 0, 20_000)).toBe(5);
  });
});

describe('sandbox outcome', () => {
  it.each([
    'FAILED',
    'FAILED;code=PROVIDER_UPSTREAM_ERROR',
    'TIMEOUT;code=JOB_TIMEOUT',
    'CANCELED',
  ])('D73 accepts %s', (header) => {
    expect(formatSandboxOutcome(parseSandboxOutcome(header))).toBe(header);
  });

  it.each([
    'SUCCEEDED',
    'FAILED;code=NO_SUCH_CODE',
    'FAILED;code=toString',
    'CANCELED;code=JOB_TIMEOUT',
    'FAILED;',
    '',
  ])('D73 refuses %j', (header) => {
    expect(() => parseSandboxOutcome(header)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
