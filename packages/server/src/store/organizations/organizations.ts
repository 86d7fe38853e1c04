import { searchForm } from '@changgu/contract';
import type { MembershipTier, SubscriptionStatus } from '@changgu/contract/schemas';
import { sql } from 'kysely';
import { ServiceError } from '../../rules/service-error.ts';
import { read } from '../transactions/script.ts';
import { requireOrganization } from './require-organization.ts';

export interface OrganizationSummary {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly members: number;
  readonly tier: MembershipTier;
  readonly planCode: string;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly periodEnd: number | null;
  readonly disabledAt: number | null;
  readonly deletedAt: number | null;
}

interface Query {
  /** A part of the name. */
  readonly text: string | null;
  /** Ids below this one. */
  readonly before: number | null;
  readonly limit: number;
}

const MEMBERS = sql<number>`(
  select count(*) from members join users on users.id = members.user_id
  where members.organization_id = organizations.id and users.deleted_at is null)`;

/** Organizations for operators. */
export const organizationScripts = {
  /** @throws ServiceError RESOURCE_NOT_FOUND when there is none in force */
  require: read(async (tx, id: number): Promise<void> => {
    await requireOrganization(tx, id);
  }),

  /** Also a closed one. @throws ServiceError RESOURCE_NOT_FOUND when there was never one */
  requireKnown: read(async (tx, id: number): Promise<void> => {
    const row = await tx.db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined)
      throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `organization ${id}` });
  }),

  /** Newest first. */
  list: read(async (tx, { text, before, limit }: Query): Promise<OrganizationSummary[]> => {
    let query = tx.db
      .selectFrom('organizations')
      .select([
        'id',
        'name',
        'created_at as createdAt',
        'tier',
        'plan_code as planCode',
        'subscription_status as subscriptionStatus',
        'period_ends_at as periodEnd',
        'disabled_at as disabledAt',
        'deleted_at as deletedAt',
        MEMBERS.as('members'),
      ])
      .orderBy('id', 'desc')
      .limit(limit);
    if (text !== null) query = query.where(({ or }) => or(forms(text).map(isPartOfName)));
    if (before !== null) query = query.where('id', '<', before);
    return query.execute();
  }),
};

/** A name is stored as it was typed, perhaps decomposed. */
function forms(text: string): string[] {
  const composed = searchForm(text);
  return [...new Set([composed, composed.normalize('NFD')])];
}

function isPartOfName(text: string) {
  const escaped = text.replaceAll(/[\\%_]/g, '\\$&');
  return sql<boolean>`lower(name) like ${`%${escaped}%`} escape '\\'`;
}
