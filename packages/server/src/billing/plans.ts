import type { PlanListResponse, SubscriptionRecord } from '@changgu/contract/schemas';
import { type ConfiguredPlans, subscriptionRecord } from '../organizations/administration.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';

/** The configured plans. A paid plan shows its production tokens, the free one those of the demo. */
export function listPlans(plans: ConfiguredPlans): PlanListResponse {
  return {
    items: Object.entries(plans).map(([plan_code, { name, tier, price, ...limits }]) => {
      const { daily, monthly } = tier === 'PAID' ? limits.production : limits.real_test;
      return {
        plan_code,
        plan_name: name,
        price: { amount_minor: price, currency: 'KRW' as const, tax_included: false },
        daily_tokens: daily,
        monthly_tokens: monthly,
      };
    }),
  };
}

interface Dependencies {
  readonly store: Pick<Store, 'subscriptions'>;
  readonly plans: ConfiguredPlans;
}

/** Null when there has never been one. */
export async function findSubscription(
  { store, plans }: Dependencies,
  organizationId: number,
): Promise<SubscriptionRecord | null> {
  const latest = await store.subscriptions.latest({ organizationId });
  return latest ? subscriptionRecord(latest, plans) : null;
}

/** @throws ServiceError RESOURCE_NOT_FOUND when there has never been one */
export async function readSubscription(
  dependencies: Dependencies,
  organizationId: number,
): Promise<SubscriptionRecord> {
  const subscription = await findSubscription(dependencies, organizationId);
  if (subscription === null) throw new ServiceError('RESOURCE_NOT_FOUND');
  return subscription;
}
