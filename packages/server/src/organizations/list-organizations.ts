import { LIMITS } from '@changgu/contract';
import type { OrganizationListResponse, OrganizationRecord } from '@changgu/contract/schemas';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Store } from '../store/database.ts';
import type { OrganizationSummary } from '../store/organizations/organizations.ts';
import type { ConfiguredPlans } from './administration.ts';

interface Query {
  readonly text?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page of all organizations, newest first. */
export async function listOrganizations(
  {
    store,
    plans,
  }: { readonly store: Pick<Store, 'organizations'>; readonly plans: ConfiguredPlans },
  { text, cursor, limit = LIMITS.page.default }: Query,
): Promise<OrganizationListResponse> {
  const rows = await store.organizations.list({
    text: text ?? null,
    before: cursor === undefined ? null : Number(cursor),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => recordOf(row, plans)),
    next_cursor: rows.length > limit && last !== undefined ? String(last.id) : null,
  };
}

function recordOf(row: OrganizationSummary, plans: ConfiguredPlans): OrganizationRecord {
  return {
    organization_id: row.id,
    name: row.name,
    created_at: kstTime(row.createdAt),
    members: row.members,
    membership_tier: row.tier,
    plan_code: row.planCode,
    plan_name: plans[row.planCode]?.name ?? row.planCode,
    subscription_status: row.subscriptionStatus,
    current_period_end: kstTimeOrNull(row.periodEnd),
    state: stateOf(row),
  };
}

function stateOf({ deletedAt, disabledAt }: OrganizationSummary): OrganizationRecord['state'] {
  if (deletedAt !== null) return 'DELETED';
  return disabledAt === null ? 'ACTIVE' : 'DISABLED';
}
