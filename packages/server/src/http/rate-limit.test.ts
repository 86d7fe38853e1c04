import { describe, expect, it } from 'vitest';
import { createRateLimiter, rateLimitHeaders } from './rate-limit.ts';

describe('D43 the process rate limit', () => {
  it('counts per key in fixed windows and gives all back when one ends', () => {
    let now = 120_500;
    const limiter = createRateLimiter({ limit: 2, windowSeconds: 60 }, { realNow: () => now });
    expect(limiter.consume('a')).toMatchObject({ allowed: true, used: 1, remaining: 1 });
    expect(limiter.consume('a')).toMatchObject({ allowed: true, used: 2, remaining: 0 });
    expect(limiter.consume('a')).toMatchObject({ allowed: false, used: 2, resetAt: 180_000 });
    expect(limiter.consume('b')).toMatchObject({ allowed: true, used: 1 });
    now = 180_000;
    expect(limiter.consume('a')).toMatchObject({ allowed: true, used: 1, resetAt: 240_000 });
  });

  it('is shown as the IETF draft says', () => {
    const status = { limit: 6_000, windowSeconds: 60, used: 1, remaining: 5_999, resetAt: 60_000 };
    expect(rateLimitHeaders(status, 17_100)).toEqual({
      'ratelimit-policy': '"default";q=6000;w=60',
      ratelimit: '"default";r=5999;t=43',
    });
  });
});
