import { describe, expect, it } from 'vitest';
import { environmentRefusal, type OrganizationPolicy } from './policy.ts';

const NOW = 1_000;
const free: OrganizationPolicy = {
  realTestApprovedAt: null,
  demoEndsAt: null,
  tier: 'FREE',
  planCode: 'FREE',
  subscriptionStatus: null,
  periodStartedAt: null,
  periodEndsAt: null,
  consentBlocked: false,
};

describe('environment policy', () => {
  it('sandbox is open to everybody', () => {
    expect(environmentRefusal(free, 'sandbox', NOW)).toBeNull();
  });

  it('R21 production needs a paid plan that is active', () => {
    expect(environmentRefusal(free, 'production', NOW)).toBe('POLICY_PAID_REQUIRED');
    const paid = { ...free, tier: 'PAID' as const, subscriptionStatus: 'ACTIVE' as const };
    expect(environmentRefusal(paid, 'production', NOW)).toBeNull();
    for (const subscriptionStatus of ['PAUSED', 'CANCELED', 'EXPIRED'] as const) {
      expect(environmentRefusal({ ...paid, subscriptionStatus }, 'production', NOW)).toBe(
        'POLICY_PAID_REQUIRED',
      );
    }
  });

  it('D91 real_test needs approval and ends with the demo', () => {
    expect(environmentRefusal(free, 'real_test', NOW)).toBe('POLICY_ENV_NOT_APPROVED');
    const approved = { ...free, realTestApprovedAt: 1, demoEndsAt: NOW + 1 };
    expect(environmentRefusal(approved, 'real_test', NOW)).toBeNull();
    expect(environmentRefusal(approved, 'real_test', NOW + 1)).toBe('POLICY_ENV_NOT_APPROVED');
    expect(environmentRefusal({ ...approved, demoEndsAt: null }, 'real_test', NOW + 1)).toBeNull();
  });

  it('D94 a revoked consent stops new jobs everywhere', () => {
    expect(environmentRefusal({ ...free, consentBlocked: true }, 'sandbox', NOW)).toBe(
      'POLICY_CONSENT_REQUIRED',
    );
  });
});
