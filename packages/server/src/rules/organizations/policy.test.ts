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
  it('opens sandbox to every organization', () => {
    expect(environmentRefusal(free, 'sandbox', NOW)).toBeNull();
  });

  it('requires an active paid plan for production (R21)', () => {
    expect(environmentRefusal(free, 'production', NOW)).toBe('POLICY_PAID_REQUIRED');
    const paid = { ...free, tier: 'PAID' as const, subscriptionStatus: 'ACTIVE' as const };
    expect(environmentRefusal(paid, 'production', NOW)).toBeNull();
    for (const subscriptionStatus of ['PAUSED', 'CANCELED', 'EXPIRED'] as const) {
      expect(environmentRefusal({ ...paid, subscriptionStatus }, 'production', NOW)).toBe(
        'POLICY_PAID_REQUIRED',
      );
    }
  });

  it('requires approval for real_test, which ends with the demo (D91)', () => {
    expect(environmentRefusal(free, 'real_test', NOW)).toBe('POLICY_ENV_NOT_APPROVED');
    const approved = { ...free, realTestApprovedAt: 1, demoEndsAt: NOW + 1 };
    expect(environmentRefusal(approved, 'real_test', NOW)).toBeNull();
    expect(environmentRefusal(approved, 'real_test', NOW + 1)).toBe('POLICY_ENV_NOT_APPROVED');
    expect(environmentRefusal({ ...approved, demoEndsAt: null }, 'real_test', NOW + 1)).toBeNull();
  });

  it('stops new jobs in every environment after a consent is revoked (D94)', () => {
    expect(environmentRefusal({ ...free, consentBlocked: true }, 'sandbox', NOW)).toBe(
      'POLICY_CONSENT_REQUIRED',
    );
  });
});
