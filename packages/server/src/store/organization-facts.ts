import type { OrganizationPolicy } from '../jobs/policy.ts';
import { ServiceError } from '../service-error.ts';
import { toOrganizationPolicy } from './organization-policy.ts';
import type { Transaction } from './script.ts';

export interface OrganizationFacts extends OrganizationPolicy {
  readonly id: number;
  readonly name: string;
}

/** One organization as its row says, or undefined when it is not there or was deleted. */
export async function findOrganization(
  tx: Transaction,
  organizationId: number,
): Promise<OrganizationFacts | undefined> {
  const row = await tx.db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row && { id: row.id, name: row.name, ...toOrganizationPolicy(row) };
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
export async function requireOrganization(
  tx: Transaction,
  organizationId: number,
): Promise<OrganizationFacts> {
  const organization = await findOrganization(tx, organizationId);
  if (organization === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
  return organization;
}
