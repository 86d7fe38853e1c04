import { isEndState, JOB_STATES } from '@changgu/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownMessage, shownProgress } from '../rules/jobs/progress.ts';
import { retryAfterSeconds } from '../rules/jobs/retry-after.ts';
import { formatSandboxOutcome, parseSandboxOutcome } from '../rules/submission/sandbox-outcome.ts';

const facts = fc.record({
  status: fc.constantFrom(...JOB_STATES),
  progress: fc.integer({ min: 0, max: 100 }),
  progressMessage: fc.option(fc.constant('은행에 접속하고 있습니다')),
  jobsAhead: fc.nat(40),
  heldBack: fc.nat(1),
});

describe('polling', () => {
  it('shows progress 10–25 while queued, 30–90 while running, 100 at the end (R23)', () => {
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

  it('has no message and no retry_after_seconds exactly at the end (R24)', () => {
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
  });

  it('suggests polling after 3 s while queued, 2 s while running, 5 s after 20 s (D09)', () => {
    expect(retryAfterSeconds('QUEUED', null, 1e9)).toBe(3);
    expect(retryAfterSeconds('RUNNING', 1_000, 20_999)).toBe(2);
    expect(retryAfterSeconds('RUNNING', 1_000, 21_000)).toBe(5);
  });

  it('says what a queued job waits for and what the connector of a running one does (D08)', () => {
    const waiting = { progress: 0, progressMessage: null, jobsAhead: 0, heldBack: 0 };
    const queued = (facts: object) => shownMessage({ ...waiting, status: 'QUEUED', ...facts });
    expect(queued({ jobsAhead: 1 })).toBe('앞선 작업이 끝나기를 기다리고 있습니다');
    expect(queued({})).toBe('작업 순서를 기다리고 있습니다');
    const step = '은행에 접속하고 있습니다';
    expect(shownMessage({ ...waiting, status: 'RUNNING', progressMessage: step })).toBe(step);
    expect(shownMessage({ ...waiting, status: 'CANCELED', progressMessage: step })).toBeNull();
  });
});

describe('sandbox outcome', () => {
  it.each([
    'FAILED',
    'FAILED;code=PROVIDER_UPSTREAM_ERROR',
    'TIMEOUT;code=JOB_TIMEOUT',
    'CANCELED',
  ])('accepts %s (D73)', (header) => {
    expect(formatSandboxOutcome(parseSandboxOutcome(header))).toBe(header);
  });

  it('plays CANCELED without its code, because a canceled job has no error (D73, D06)', () => {
    const asked = parseSandboxOutcome('CANCELED;code=JOB_TIMEOUT');
    expect(formatSandboxOutcome(asked)).toBe('CANCELED');
  });

  it.each([
    'SUCCEEDED',
    'FAILED;code=NO_SUCH_CODE',
    'FAILED;code=toString',
    'CANCELED;code=NO_SUCH_CODE',
    'FAILED;',
    '',
  ])('refuses %j (D73)', (header) => {
    expect(() => parseSandboxOutcome(header)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
