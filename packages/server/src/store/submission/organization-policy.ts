import type { Selectable } from 'kysely';
import type { OrganizationPolicy } from '../../rules/organizations/policy.ts';
import type { BillingPeriod } from '../../rules/quota/quota-periods.ts';
import type { Database } from '../schema/tables.ts';

export const POLICY_COLUMNS = [
  'organizations.real_test_approved_at',
  'organizations.demo_ends_at',
  'organizations.tier',
  'organizations.plan_code',
  'organizations.subscription_status',
  'organizations.period_started_at',
  'organizations.period_ends_at',
  'organizations.consent_blocked',
] as const;

type PolicyRow = Pick<
  Selectable<Database['organizations']>,
  | 'real_test_approved_at'
  | 'demo_ends_at'
  | 'tier'
  | 'plan_code'
  | 'subscription_status'
  | 'period_started_at'
  | 'period_ends_at'
  | 'consent_blocked'
>;

export function toOrganizationPolicy(row: PolicyRow): OrganizationPolicy {
  return {
    realTestApprovedAt: row.real_test_approved_at,
    demoEndsAt: row.demo_ends_at,
    tier: row.tier,
    planCode: row.plan_code,
    subscriptionStatus: row.subscription_status,
    periodStartedAt: row.period_started_at,
    periodEndsAt: row.period_ends_at,
    consentBlocked: row.consent_blocked === 1,
  };
}

/** That of a paused subscription may be over: it is not ended before it is resumed, and nothing counts into it. */
export function billingPeriod(policy: OrganizationPolicy, now: number): BillingPeriod | null {
  const { periodStartedAt: startedAt, periodEndsAt: endsAt } = policy;
  if (policy.subscriptionStatus === 'PAUSED' && endsAt !== null && endsAt <= now) return null;
  return startedAt === null || endsAt === null ? null : { startedAt, endsAt };
}
