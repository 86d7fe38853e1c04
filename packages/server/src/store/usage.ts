import type { EnvScope } from '@changgu/contract';
import { sql } from 'kysely';
import type { QuotaPeriod } from '../jobs/quota-periods.ts';
import type { Transaction } from './script.ts';

const NO_LIMIT = 2_147_483_647;

export interface UsageOwner {
  readonly organizationId: number;
  readonly envScope: EnvScope;
}

/**
 * Adds tokens to all periods, in one statement and always in the same order of rows.
 * @returns false when one of them had no room left; the caller then rolls back
 */
export async function chargeTokens(
  tx: Transaction,
  { organizationId, envScope }: UsageOwner,
  periods: readonly QuotaPeriod[],
  tokens: number,
): Promise<boolean> {
  if (periods.length === 0) return true;
  const limit = sql<number>`case excluded.period ${sql.join(
    periods.map(({ key, limit }) => sql`when ${key} then ${sql.lit(limit ?? NO_LIMIT)}`),
    sql` `,
  )} end`;
  const charged = await tx.db
    .insertInto('usage')
    .values(
      periods.map(({ key }) => ({
        organization_id: organizationId,
        env_scope: envScope,
        period: key,
        used: tokens,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'env_scope', 'period'])
        .doUpdateSet({ used: sql`usage.used + excluded.used` })
        .where(sql<boolean>`usage.used + excluded.used <= ${limit}`),
    )
    .returning('period')
    .execute();
  return charged.length === periods.length;
}

/** Tokens used in each of these periods. */
export async function readUsage(
  tx: Transaction,
  { organizationId, envScope }: UsageOwner,
  periods: readonly QuotaPeriod[],
): Promise<Map<string, number>> {
  if (periods.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('usage')
    .select(['period', 'used'])
    .where('organization_id', '=', organizationId)
    .where('env_scope', '=', envScope)
    .where(
      'period',
      'in',
      periods.map(({ key }) => key),
    )
    .execute();
  return new Map(rows.map(({ period, used }) => [period, used]));
}
