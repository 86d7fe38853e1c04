import { describe, expect, it } from 'vitest';
import { createRateLimiter, rateLimitLeft, rateLimitPolicy } from './rate-limit.ts';

describe('the process rate limit (D43)', () => {
  it('counts per key in fixed windows and starts over with each window', () => {
    let now = 120_500;
    const limiter = createRateLimiter({ limit: 2, windowSeconds: 60 }, { realNow: () => now });
    expect(limiter.consume('a')).toMatchObject({ allowed: true, used: 1, remaining: 1 });
    expect(limiter.consume('a')).toMatchObject({ allowed: true, used: 2, remaining: 0 });
    expect(limiter.consume('a')).toMatchObject({ allowed: false, used: 2, resetAt: 180_000 });
    expect(limiter.consume('b')).toMatchObject({ allowed: true, used: 1 });
    now = 180_000;
    expect(limiter.consume('a')).toMatchObject({ allowed: true, used: 1, resetAt: 240_000 });
  });

  it('is reported in the fields of the IETF draft', () => {
    const status = { limit: 6_000, windowSeconds: 60, used: 1, remaining: 5_999, resetAt: 60_000 };
    expect(rateLimitPolicy(status)).toBe('"default";q=6000;w=60');
    expect(rateLimitLeft(status, 17_100)).toBe('"default";r=5999;t=43');
  });
});
