import type { EnvScope } from '@changgu/contract';
import type { OrganizationPolicy } from '../../rules/organizations/policy.ts';
import type { Plans } from '../../rules/quota/plans.ts';
import type { PeriodUsage } from '../../rules/quota/quota.ts';
import { quotaPeriods } from '../../rules/quota/quota-periods.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { billingPeriod } from '../submission/organization-policy.ts';
import { readStoredBytes } from '../submission/stored-bytes.ts';
import { readUsage } from '../submission/usage.ts';
import { read } from '../transactions/script.ts';

interface MembershipQuery {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly plans: Plans;
}

export interface MembershipFacts {
  readonly organization: OrganizationPolicy;
  readonly usages: readonly PeriodUsage[];
  readonly storedBytes: number;
}

export const membershipScripts = {
  /** What an organization has and has used, without using anything. @throws ServiceError RESOURCE_NOT_FOUND */
  read: read(async (tx, query: MembershipQuery): Promise<MembershipFacts> => {
    const organization = await requireOrganization(tx, query.organizationId);
    const plan = query.plans[organization.planCode];
    const now = await tx.now();
    const periods = quotaPeriods(query.envScope, plan, billingPeriod(organization, now), now);
    const used = await readUsage(tx, query, periods);
    const usages = periods.map((period) => ({ ...period, used: used.get(period.key) ?? 0 }));
    return { organization, usages, storedBytes: await readStoredBytes(tx, query.organizationId) };
  }),
};
