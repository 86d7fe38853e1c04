import type {
  MemberRecord,
  MemberRequest,
  SubscriptionRecord,
  SubscriptionRequest,
} from '@changgu/contract/schemas';
import { normalizeEmail } from '../rules/identity/email.ts';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { ConfiguredPlan } from '../rules/quota/plans.ts';
import { invalidValue } from '../rules/service-error.ts';
import type { Subscription } from '../store/billing/subscriptions.ts';
import type { Store } from '../store/database.ts';

export type ConfiguredPlans = Readonly<Record<string, ConfiguredPlan>>;

/**
 * Subscribes an organization, or moves its subscription.
 * @throws ServiceError 400 for an unknown plan, RESOURCE_NOT_FOUND, CONFLICT_STATE
 */
export async function setSubscription(
  {
    store,
    plans,
  }: { readonly store: Pick<Store, 'subscriptions'>; readonly plans: ConfiguredPlans },
  organizationId: number,
  { plan_code: planCode, status = 'ACTIVE' }: SubscriptionRequest,
  actor: Actor,
): Promise<SubscriptionRecord> {
  const plan = Object.hasOwn(plans, planCode) ? plans[planCode] : undefined;
  if (plan === undefined) {
    const msg = `Input should be one of ${Object.keys(plans).join(', ')}`;
    throw invalidValue([{ loc: ['body', 'plan_code'], msg, type: 'value_error' }]);
  }
  const { tier } = plan;
  const set = await store.subscriptions.set({ organizationId, planCode, tier, status, actor });
  return subscriptionRecord(set, plans);
}

/** A subscription as the API shows it. A plan that no longer exists is shown by its code. */
export function subscriptionRecord(
  subscription: Subscription,
  plans: ConfiguredPlans,
): SubscriptionRecord {
  const { id, organizationId, planCode, status, envScope } = subscription;
  return {
    subscription_id: id,
    organization_id: organizationId,
    plan_code: planCode,
    plan_name: plans[planCode]?.name ?? planCode,
    status,
    env_scope: envScope,
    current_period_start: kstTime(subscription.periodStart),
    current_period_end: kstTime(subscription.periodEnd),
    canceled_at: kstTimeOrNull(subscription.canceledAt),
  };
}

/** Puts a registered user into an organization. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function addMember(
  { members }: Pick<Store, 'members'>,
  organizationId: number,
  { email, role }: MemberRequest,
  actor: Actor,
): Promise<MemberRecord> {
  const member = await members.add({ organizationId, email: normalizeEmail(email), role, actor });
  return {
    organization_id: member.organizationId,
    user_id: member.userId,
    email: member.email,
    role: member.role,
  };
}
