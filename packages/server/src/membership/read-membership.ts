import type { EnvScope } from '@changgu/contract';
import type { MembershipResponse } from '@changgu/contract/schemas';
import { newPolicyDecisionId } from '../ids.ts';
import { kstTime } from '../rules/kst.ts';
import type { ClientPrincipal, Principal } from '../rules/principals/principal.ts';
import type { ConfiguredPlan } from '../rules/quota/plans.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { quotaSnapshot } from './quota-snapshot.ts';

export interface MembershipDependencies {
  readonly store: Pick<Store, 'membership'>;
  readonly plans: Readonly<Record<string, ConfiguredPlan>>;
  readonly storageLimitBytes: number;
}

/** The process rate limit after this call. Times are real milliseconds. */
interface RateUsage {
  readonly windowSeconds: number;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/**
 * The caller's identity, plan and remaining quota. Uses no quota.
 * @throws ServiceError POLICY_ENV_NOT_ALLOWED when the key is not for this environment
 */
export async function readMembership(
  dependencies: MembershipDependencies,
  principal: Principal,
  envScope: EnvScope,
  rate: RateUsage,
): Promise<MembershipResponse> {
  if (principal.kind === 'client' && !principal.allowedEnvScopes.includes(envScope)) {
    throw new ServiceError('POLICY_ENV_NOT_ALLOWED');
  }
  return {
    success: true,
    policy_decision_id: newPolicyDecisionId(),
    principal_kind: principal.kind,
    organization_role: principal.kind === 'console_user' ? principal.role : null,
    ...(await organizationPart(dependencies, principal, envScope)),
    rate_limit_after: {
      window_seconds: rate.windowSeconds,
      limit: rate.limit,
      used: rate.used,
      remaining: rate.remaining,
      reset_at: kstTime(rate.resetAt),
    },
    ...(principal.kind === 'client' ? { key: keyRights(principal) } : {}),
  };
}

function keyRights({ readOnly, allowedActions, allowIrreversibleTools }: ClientPrincipal) {
  return {
    read_only: readOnly,
    allowed_actions: allowedActions === null ? null : [...allowedActions],
    allow_irreversible_tools: allowIrreversibleTools,
  };
}

async function organizationPart(
  { store, plans, storageLimitBytes }: MembershipDependencies,
  principal: Principal,
  envScope: EnvScope,
) {
  if (principal.kind === 'admin_user') {
    return { membership_tier: null, plan_name: null, subscription_status: null };
  }
  const { organizationId } = principal;
  const { organization, usages, storedBytes } = await store.membership.read({
    organizationId,
    envScope,
    plans,
  });
  const { demoEndsAt, realTestApprovedAt } = organization;
  const deadline = realTestApprovedAt === null ? null : demoEndsAt;
  return {
    organization_id: organizationId,
    membership_tier: organization.tier,
    plan_name: plans[organization.planCode]?.name ?? null,
    subscription_status: organization.subscriptionStatus,
    ...quotaSnapshot(envScope, usages),
    storage: { limit_bytes: storageLimitBytes, used_bytes: storedBytes },
    ...(deadline === null ? {} : { demo_ends_at: kstTime(deadline) }),
  };
}
