import type { EnvScope } from '@changgu/contract';
import type { OrganizationPolicy } from '../jobs/policy.ts';
import type { PeriodUsage } from '../jobs/quota.ts';
import { type Plans, quotaPeriods } from '../jobs/quota-periods.ts';
import { billingPeriod } from './organization-policy.ts';
import { requireOrganization } from './require-organization.ts';
import { read } from './script.ts';
import { readUsage } from './usage.ts';

interface MembershipQuery {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly plans: Plans;
}

export interface MembershipFacts {
  readonly organization: OrganizationPolicy;
  readonly usages: readonly PeriodUsage[];
}

export const membershipScripts = {
  /** What an organization has and has used, without using anything. @throws ServiceError RESOURCE_NOT_FOUND */
  read: read(async (tx, query: MembershipQuery): Promise<MembershipFacts> => {
    const organization = await requireOrganization(tx, query.organizationId);
    const plan = query.plans[organization.planCode];
    const billing = billingPeriod(organization);
    const periods = quotaPeriods(query.envScope, plan, billing, await tx.now());
    const used = await readUsage(tx, query, periods);
    const usages = periods.map((period) => ({ ...period, used: used.get(period.key) ?? 0 }));
    return { organization, usages };
  }),
};
