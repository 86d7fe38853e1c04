import type { OrganizationPolicy } from '../../rules/organizations/policy.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { POLICY_COLUMNS, toOrganizationPolicy } from '../submission/organization-policy.ts';
import type { Transaction } from '../transactions/script.ts';

/** What an organization in force may do. @throws ServiceError RESOURCE_NOT_FOUND */
export async function requireOrganization(
  tx: Transaction,
  organizationId: number,
): Promise<OrganizationPolicy> {
  const row = await tx.db
    .selectFrom('organizations')
    .select(POLICY_COLUMNS)
    .where('id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined)
    throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `organization ${organizationId}` });
  return toOrganizationPolicy(row);
}
