import type { BillingAccountResponse } from '@changgu/contract/schemas';
import type { ConfiguredPlan } from '../rules/quota/plans.ts';
import type { Store } from '../store/database.ts';
import { findPaymentMethod } from './payment-method.ts';
import { findSubscription } from './plans.ts';

interface Dependencies {
  readonly store: Pick<Store, 'subscriptions' | 'paymentMethods' | 'offlineProfiles'>;
  readonly plans: Readonly<Record<string, ConfiguredPlan>>;
}

/** What an organization pays for and with, and who gets its tax invoices. */
export async function readBillingAccount(
  dependencies: Dependencies,
  organizationId: number,
): Promise<BillingAccountResponse> {
  const [subscription, method, profiles] = await Promise.all([
    findSubscription(dependencies, organizationId),
    findPaymentMethod(dependencies, organizationId),
    dependencies.store.offlineProfiles.ofOrganization({ organizationId }),
  ]);
  return {
    organization_id: organizationId,
    subscription,
    payment_method: method,
    offline_profiles: profiles,
  };
}
