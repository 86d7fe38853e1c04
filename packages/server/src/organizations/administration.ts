import type {
  MemberRecord,
  MemberRequest,
  SubscriptionRecord,
  SubscriptionRequest,
} from '@changgu/contract/schemas';
import type { ConfiguredPlan } from '../config/settings.ts';
import { kstTime, kstTimeOrNull } from '../kst.ts';
import { normalizeEmail } from '../principals/login.ts';
import { invalidValue } from '../service-error.ts';
import type { Actor } from '../store/audit.ts';
import type { Store } from '../store/database.ts';

export type Plans = Readonly<Record<string, ConfiguredPlan>>;

/**
 * Subscribes an organization, or moves its subscription (D115, D145).
 * @throws ServiceError 400 for an unknown plan, RESOURCE_NOT_FOUND, CONFLICT_STATE
 */
export async function setSubscription(
  { store, plans }: { readonly store: Pick<Store, 'subscriptions'>; readonly plans: Plans },
  organizationId: number,
  { plan_code: planCode, status = 'ACTIVE' }: SubscriptionRequest,
  actor: Actor,
): Promise<SubscriptionRecord> {
  const plan = Object.hasOwn(plans, planCode) ? plans[planCode] : undefined;
  if (plan === undefined) {
    const msg = `Input should be one of ${Object.keys(plans).join(', ')}`;
    throw invalidValue([{ loc: ['body', 'plan_code'], msg, type: 'value_error' }]);
  }
  const { tier, name } = plan;
  const set = await store.subscriptions.set({ organizationId, planCode, tier, status, actor });
  return {
    subscription_id: set.id,
    organization_id: set.organizationId,
    plan_code: set.planCode,
    plan_name: name,
    status: set.status,
    env_scope: set.envScope,
    current_period_start: kstTime(set.periodStart),
    current_period_end: kstTime(set.periodEnd),
    canceled_at: kstTimeOrNull(set.canceledAt),
  };
}

/** Puts a registered user into an organization (D145). @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
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
