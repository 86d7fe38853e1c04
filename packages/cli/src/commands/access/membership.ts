import type { MembershipInfo } from '@changgu/sdk';
import { reads } from '../../command.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';

const MEMBERSHIP: Shape = {
  fields: fieldsOf<MembershipInfo>()([
    'success',
    'policy_decision_id',
    'principal_kind',
    'organization_id',
    'organization_role',
    'membership_tier',
    'plan_name',
    'subscription_status',
    'quota_after',
    'quota_month_after',
    'storage',
    'demo_ends_at',
    'rate_limit_after',
    'key',
  ]),
  columns: ['membership_tier', 'plan_name', 'subscription_status', 'quota_after'],
  id: 'organization_id',
  details: [
    'principal_kind',
    'organization_id',
    'organization_role',
    'membership_tier',
    'plan_name',
    'subscription_status',
    'demo_ends_at',
    'quota_after',
    'quota_month_after',
    'storage',
    'rate_limit_after',
    'key',
  ],
};

/** Plan, quota and rate of the caller. */
export const membership = reads<[]>(MEMBERSHIP, async (cli) => {
  const client = await cli.client('any');
  await cli.output.item(await client.membership.me(cli.call), MEMBERSHIP);
  return undefined;
});
