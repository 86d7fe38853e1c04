import { describe, expect, it } from 'vitest';
import { healthOf } from './institution-health.ts';

const NOW = 1_000_000_000;
const trouble = {
  failures: [NOW - 1_000],
  openUntil: null,
  trialJobId: null,
  askedUntil: null,
  lastCode: 'PROVIDER_UPSTREAM_ERROR',
};

describe('the health of an institution (D139)', () => {
  it('is healthy without recent failures', () => {
    expect(healthOf(null, NOW).state).toBe('HEALTHY');
  });

  it('is degraded by a failure, for ten minutes', () => {
    expect(healthOf(trouble, NOW)).toMatchObject({ state: 'DEGRADED', retryAt: null });
    expect(healthOf(trouble, NOW + 10 * 60_000)).toMatchObject({ state: 'HEALTHY' });
  });

  it('is down while its breaker is open, and says for how long', () => {
    const open = { ...trouble, openUntil: NOW + 30_000, lastCode: 'PROVIDER_MAINTENANCE' };
    expect(healthOf(open, NOW)).toEqual({
      state: 'DOWN',
      maintenance: true,
      retryAt: NOW + 30_000,
    });
  });

  it.each([
    ['failures', trouble.failures],
    ['a request to wait alone', []],
  ])('is degraded after that, and healthy when nothing more is heard (%s)', (_, failures) => {
    const open = { ...trouble, failures, openUntil: NOW + 30_000 };
    const degraded = { state: 'DEGRADED', retryAt: null };
    expect(healthOf(open, NOW + 30_000)).toMatchObject(degraded);
    expect(healthOf(open, NOW + 30_000 + 10 * 60_000)).toMatchObject(degraded);
    expect(healthOf(open, NOW + 30_001 + 10 * 60_000).state).toBe('HEALTHY');
  });
});
