import type { EnvScope } from '@changgu/contract';
import type { MembershipTier, SubscriptionStatus } from '@changgu/contract/schemas';

/** An organization's rights, from its row. */
export interface OrganizationPolicy {
  readonly realTestApprovedAt: number | null;
  readonly demoEndsAt: number | null;
  readonly tier: MembershipTier;
  readonly planCode: string;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly periodStartedAt: number | null;
  readonly periodEndsAt: number | null;
  readonly consentBlocked: boolean;
}

/** Why an organization may not submit to an environment now, or null (D19, step 8). */
export function environmentRefusal(
  organization: OrganizationPolicy,
  envScope: EnvScope,
  now: number,
): 'POLICY_PAID_REQUIRED' | 'POLICY_ENV_NOT_APPROVED' | 'POLICY_CONSENT_REQUIRED' | null {
  if (envScope === 'production' && !hasPaidPlan(organization)) return 'POLICY_PAID_REQUIRED';
  if (envScope === 'real_test' && !hasRealTest(organization, now)) return 'POLICY_ENV_NOT_APPROVED';
  if (organization.consentBlocked) return 'POLICY_CONSENT_REQUIRED';
  return null;
}

export function hasPaidPlan({ tier, subscriptionStatus }: OrganizationPolicy): boolean {
  return tier === 'PAID' && subscriptionStatus === 'ACTIVE';
}

export function hasRealTest(
  { realTestApprovedAt, demoEndsAt }: Pick<OrganizationPolicy, 'realTestApprovedAt' | 'demoEndsAt'>,
  now: number,
): boolean {
  return realTestApprovedAt !== null && (demoEndsAt === null || now < demoEndsAt);
}
