import type { Clock } from '../clock.ts';

/** `limit` calls per `windowSeconds`. */
export interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** One caller's use of the current window. Times are real milliseconds. */
export interface RateStatus extends RateLimit {
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: number;
}

export interface RateLimiter {
  /** Counts a call, or as many as it costs. A call that exceeds the window is refused and not counted. */
  consume(key: string, cost?: number): RateStatus & { readonly allowed: boolean };
}

/** Fixed windows in this process's memory, which holds the keys of at most one window. */
export function createRateLimiter(rate: RateLimit, clock: Clock): RateLimiter {
  const windowMs = rate.windowSeconds * 1000;
  let windowStart = 0;
  let counts = new Map<string, number>();

  function roll(now: number): void {
    if (now < windowStart + windowMs && now >= windowStart) return;
    windowStart = now - (now % windowMs);
    counts = new Map();
  }

  return {
    consume(key, cost = 1) {
      roll(clock.realNow());
      const before = counts.get(key) ?? 0;
      const allowed = before + cost <= rate.limit;
      const used = allowed ? before + cost : before;
      counts.set(key, used);
      const { limit, windowSeconds } = rate;
      const resetAt = windowStart + windowMs;
      return { limit, windowSeconds, used, remaining: limit - used, resetAt, allowed };
    },
  };
}

/** Whole seconds until the window ends, at least 1. */
export function secondsToReset(status: RateStatus, now: number): number {
  return Math.max(1, Math.ceil((status.resetAt - now) / 1000));
}

/** `RateLimit-Policy` of the IETF draft. */
export function rateLimitPolicy({ limit, windowSeconds }: RateLimit): string {
  return `"default";q=${limit};w=${windowSeconds}`;
}

/** `RateLimit` of the IETF draft: what is left. */
export function rateLimitLeft(status: RateStatus, now: number): string {
  return `"default";r=${status.remaining};t=${secondsToReset(status, now)}`;
}
