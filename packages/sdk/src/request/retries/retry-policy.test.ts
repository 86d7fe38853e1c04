import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApiErrorCode, createApiError } from '../../errors/api-error.ts';
import type { ChangguError } from '../../errors/changgu-error.ts';
import {
  AbortedError,
  ConnectionError,
  InvalidResponseError,
  RedirectRefusedError,
  TimeoutError,
} from '../../errors/transport-errors.ts';
import { mayRepeat, type Repeat, retryDelay } from './retry-policy.ts';

function api(status: number, code: string, retryable = true, retryAfterMs: number | null = null) {
  return createApiError({
    status,
    // Also codes that are not in the table.
    code: code as ApiErrorCode,
    retryable,
    retryAfterMs,
    message: '',
    fields: [],
    traceId: null,
    providerErrorRef: null,
    upstreamStatus: null,
    jobId: null,
  });
}

function connection(neverSent: boolean, retryable = true) {
  return new ConnectionError('', { neverSent, retryable, systemCode: null, cause: null });
}

const all: readonly Repeat[] = ['read', 'keyed', 'repeatable', 'once'];
const none: readonly Repeat[] = [];
const harmless: readonly Repeat[] = ['read', 'keyed', 'repeatable'];
const notKeyed: readonly Repeat[] = ['read', 'repeatable'];

describe('the retry table', () => {
  it.each<[string, ChangguError, readonly Repeat[]]>([
    ['a refused connection', connection(true), all],
    ['a broken connection', connection(false), harmless],
    ['an untrusted certificate', connection(true, false), none],
    ['an attempt that took too long', new TimeoutError('attempt', 1), harmless],
    ['a stalled body', new TimeoutError('stall', 1), harmless],
    ['the total clock', new TimeoutError('total', 1), harmless],
    ['a truncated answer', new InvalidResponseError(200, '', { retryable: true }), harmless],
    ['an abort', new AbortedError(null), none],
    ['a redirect', new RedirectRefusedError(302), none],
    ['429 RATE_LIMITED', api(429, 'RATE_LIMITED'), all],
    ['429 POLICY_QUOTA_EXCEEDED', api(429, 'POLICY_QUOTA_EXCEEDED'), harmless],
    ['503 SERVICE_UNAVAILABLE', api(503, 'SERVICE_UNAVAILABLE'), harmless],
    ['500 INTERNAL_ERROR', api(500, 'INTERNAL_ERROR'), harmless],
    ['502 of a proxy', api(502, 'HTTP_ERROR'), harmless],
    ['503 PROVIDER_NOT_CONFIGURED', api(503, 'PROVIDER_NOT_CONFIGURED', false), none],
    ['502 of the job behind the key', api(502, 'PROVIDER_UPSTREAM_ERROR'), notKeyed],
    ['504 of the job behind the key', api(504, 'JOB_TIMEOUT'), notKeyed],
    ['409, although retryable', api(409, 'AUTH_REQUIRED'), none],
    ['409 JOB_NOT_SUCCEEDED', api(409, 'JOB_NOT_SUCCEEDED'), none],
    ['422', api(422, 'VALIDATION_INVALID_FIELD', false), none],
    ['401', api(401, 'AUTH_INVALID_CREDENTIALS', false), none],
  ])('%s', (_, error, repeated) => {
    expect(all.filter((repeat) => mayRepeat(error, repeat))).toEqual(repeated);
  });
});

describe('the delay before a retry', () => {
  const situation = {
    repeat: 'read',
    retries: 0,
    maxRetries: 4,
    maxRetryAfterMs: 120_000,
    leftMs: 300_000,
    random: () => 0.5,
  } as const;
  const busy = (retryAfterMs: number | null) => api(503, 'SERVICE_UNAVAILABLE', true, retryAfterMs);

  it('is full jitter under a growing cap', () => {
    const delays = [0, 1, 2, 3].map((retries) => retryDelay(busy(null), { ...situation, retries }));
    expect(delays).toEqual([250, 500, 1000, 2000]);
    const late = { ...situation, retries: 30, maxRetries: 99, random: () => 1 };
    expect(retryDelay(busy(null), late)).toBe(8000);
  });

  it('is never shorter than the hint, and at most a tenth longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 109_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (hint, random) => {
          const delay = retryDelay(busy(hint), { ...situation, random: () => random });
          expect(delay).toBeGreaterThanOrEqual(hint);
          expect(delay).toBeLessThanOrEqual(hint * 1.1 + 0.001);
        },
      ),
    );
  });

  it.each([
    ['above the ceiling', 'retry-after', busy(120_001), situation],
    ['beyond the total clock', 'deadline', busy(50_000), { ...situation, leftMs: 40_000 }],
    ['after the total clock', 'deadline', new TimeoutError('total', 1), situation],
    ['after the last retry', 'max-retries', busy(1), { ...situation, retries: 4 }],
    ['after what no retry helps', 'not-retryable', api(401, 'X', false), situation],
  ])('is not slept %s', (_, stop, error, given) => {
    expect(retryDelay(error, given)).toBe(stop);
  });
});
