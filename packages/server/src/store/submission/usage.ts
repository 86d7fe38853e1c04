import type { EnvScope } from '@changgu/contract';
import { sql } from 'kysely';
import { crossesLowQuota, lowQuota } from '../../rules/quota/low-quota.ts';
import type { PeriodUsage } from '../../rules/quota/quota.ts';
import type { QuotaPeriod } from '../../rules/quota/quota-periods.ts';
import { type ChargedSum, noteLowQuota, USED_COLUMNS, type UsedRow } from '../events/low-quota.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { inLockOrder } from '../transactions/lock-order.ts';
import { orFail } from '../transactions/or-fail.ts';
import { type RecordFields, records, recordType, toRecords } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';

const NO_LIMIT = 2_147_483_647;

export interface UsageOwner {
  readonly organizationId: number;
  readonly envScope: EnvScope;
}

/**
 * Adds tokens to both periods, in one statement and always in this order of rows. Does nothing
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
  await noteLowQuota(tx, charged, [
    { organizationId, envScope, period: first.key, tokens, limit: first.limit },
    { organizationId, envScope, period: second.key, tokens, limit: second.limit },
  ]);
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
    .returning(USED_COLUMNS);
});

/** A batch's charge to one organization and environment. */
export interface Charge extends UsageOwner {
  /** The periods of one submission, in order. */
  readonly periods: readonly PeriodUsage[];
  readonly tokens: number;
}

/** One charge for all that count in the same periods. */
export function summedUp(charges: readonly Charge[]): Charge[] {
  const sums = new Map<string, Charge>();
  for (const charge of charges) {
    const { organizationId, envScope, periods, tokens } = charge;
    const id = [organizationId, envScope, ...periods.map(({ key }) => key)].join(' ');
    sums.set(id, { ...charge, tokens: tokens + (sums.get(id)?.tokens ?? 0) });
  }
  return [...sums.values()];
}

/** The charge of a batch to one period. */
export interface PeriodCharge extends ChargedSum {
  /** What was used before it, as far as was known. */
  readonly used: number;
}

const CHARGE = {
  organizationId: 'integer',
  envScope: 'text',
  period: 'text',
  tokens: 'bigint',
  least: 'bigint',
  limit: 'bigint',
} as const satisfies RecordFields;

/** One sum per period, by owner and then in the order of `chargeTokens`: two transactions never wait for each other. */
export function sumsOf(charges: readonly Charge[]): PeriodCharge[] {
  const sums = new Map<string, PeriodCharge>();
  for (const { organizationId, envScope, periods, tokens } of charges.toSorted(byOwner)) {
    for (const { key: period, limit, used } of periods) {
      const id = `${organizationId} ${envScope} ${period}`;
      const before = sums.get(id)?.tokens ?? 0;
      const sum = { tokens: before + tokens, limit, used };
      sums.set(id, { organizationId, envScope, period, ...sum });
    }
  }
  return [...sums.values()];
}

/** Whether a period is known to be left with few tokens by these charges, which is an event. */
export function isNotable(charges: readonly PeriodCharge[]): boolean {
  return charges.some(
    ({ used, tokens, limit }) =>
      limit !== null && crossesLowQuota({ used: used + tokens, tokens, limit }),
  );
}

/**
 * `chargeTokens` for the sums of many. PostgreSQL only, which refuses the statement when one of them had no room left,
 * or would be notable although `isNotable` did not know.
 */
export async function chargeSums(tx: Transaction, charges: readonly PeriodCharge[]): Promise<void> {
  if (charges.length === 0) return;
  const bounded = charges.map((charge) => ({ ...charge, ...boundsOf(charge) }));
  const charged = await chargeMany(tx, {
    lines: toRecords(CHARGE, bounded.entries()),
    wanted: charges.length,
  });
  await noteLowQuota(tx, charged, charges);
}

/** How much may have been used before it at least, and after it at most. */
function boundsOf(charge: PeriodCharge): { readonly least: number; readonly limit: number } {
  const { used, limit } = charge;
  if (limit === null) return { least: 0, limit: NO_LIMIT };
  const low = Math.ceil(lowQuota(limit));
  // Tokens may have been refunded meanwhile, so that it would be this charge that leaves few.
  if (used >= low) return { least: low, limit };
  return { least: 0, limit: isNotable([charge]) ? limit : Math.min(limit, low - 1) };
}

function byOwner(a: UsageOwner, b: UsageOwner): number {
  return a.organizationId - b.organizationId || inLockOrder(a.envScope, b.envScope);
}

const chargeMany = compiled((tx, slot: SlotOf<{ lines: string; wanted: number }>) => {
  const lines = sql`${records(slot('lines'))} as ${recordType(CHARGE)}`;
  const isWithin = sql<boolean>`exists (select from ${lines}
    where line."organizationId" = excluded.organization_id
      and line."envScope" = excluded.env_scope and line.period = excluded.period
      and usage.used >= line.least and usage.used + excluded.used <= line."limit")`;
  const charge = tx.db
    .insertInto('usage')
    .columns(['organization_id', 'env_scope', 'period', 'used'])
    .expression(
      sql`select line."organizationId", line."envScope", line.period, line.tokens
        from ${lines} order by line.n`,
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'env_scope', 'period'])
        .doUpdateSet({ used: sql`usage.used + excluded.used` })
        .where(isWithin),
    )
    .returning(USED_COLUMNS);
  const whole = orFail(
    sql`(select count(*) from charged) = ${slot('wanted')}`,
    'a quota period lost its tokens meanwhile',
  );
  const columns = sql.join(USED_COLUMNS.map((column) => sql.ref(column)));
  const statement = sql<UsedRow>`with charged as (${charge})
    select ${columns} from charged where ${whole}`;
  return { compile: () => statement.compile(tx.db) };
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
