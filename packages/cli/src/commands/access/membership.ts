import type { Cli } from '../../cli.ts';

/** Plan, quota and rate of the caller. */
export async function membership(cli: Cli): Promise<undefined> {
  const client = await cli.client('any');
  await cli.output.item(await client.membership.me(cli.call), {
    columns: ['membership_tier', 'plan_name', 'subscription_status', 'quota_after'],
    id: 'organization_id',
  });
}
