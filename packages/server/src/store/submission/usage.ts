import type { EnvScope } from '@changgu/contract';
import { sql } from 'kysely';
import type { QuotaPeriod } from '../../rules/quota/quota-periods.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';

const NO_LIMIT = 2_147_483_647;

export interface UsageOwner {
  readonly organizationId: number;
  readonly envScope: EnvScope;
}

/**
 * Adds tokens to a day and a month, in one statement and always in this order of rows; to nothing
 * without periods (sandbox).
 * @returns false when one of them had no room left; the caller then rolls back
 */
export async function chargeTokens(
  tx: Transaction,
  { organizationId, envScope }: UsageOwner,
  periods: readonly QuotaPeriod[],
  tokens: number,
): Promise<boolean> {
  const [first, second] = periods;
  if (first === undefined || second === undefined) return periods.length === 0;
  const charged = await chargePair(tx, {
    organizationId,
    envScope,
    tokens,
    first: first.key,
    firstLimit: first.limit ?? NO_LIMIT,
    second: second.key,
    secondLimit: second.limit ?? NO_LIMIT,
  });
  return charged.length === periods.length;
}

interface ChargeValues extends UsageOwner {
  readonly tokens: number;
  readonly first: string;
  readonly firstLimit: number;
  readonly second: string;
  readonly secondLimit: number;
}

const chargePair = compiled((tx, slot: SlotOf<ChargeValues>) => {
  const row = (period: string) => ({
    organization_id: slot('organizationId'),
    env_scope: slot('envScope'),
    period,
    used: slot('tokens'),
  });
  const limit = sql<number>`case excluded.period when ${slot('first')}
    then cast(${slot('firstLimit')} as bigint) else cast(${slot('secondLimit')} as bigint) end`;
  return tx.db
    .insertInto('usage')
    .values([row(slot('first')), row(slot('second'))])
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'env_scope', 'period'])
        .doUpdateSet({ used: sql`usage.used + excluded.used` })
        .where(sql<boolean>`usage.used + excluded.used <= ${limit}`),
    )
    .returning('period');
});

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
