import type { EnvScope } from '@changgu/contract';
import { crossesLowQuota } from '../../rules/quota/low-quota.ts';
import { appendEvent } from '../transactions/append-event.ts';
import type { Transaction } from '../transactions/script.ts';

export const USED_COLUMNS = ['organization_id', 'env_scope', 'period', 'used'] as const;

export interface UsedRow {
  readonly organization_id: number;
  readonly env_scope: EnvScope;
  readonly period: string;
  readonly used: number;
}

/** A charge to one period of an organization and environment. */
export interface ChargedSum {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly period: string;
  readonly tokens: number;
  readonly limit: number | null;
}

/**
 * Announces periods that this charge leaves with few tokens. Because of the row's lock, one charge does each time that
 * so many are used: after a refund, that is once more.
 */
export async function noteLowQuota(
  tx: Transaction,
  used: readonly UsedRow[],
  charges: readonly ChargedSum[],
): Promise<void> {
  for (const { organizationId, envScope, period, tokens, limit } of charges) {
    const row = used.find(
      (each) =>
        each.organization_id === organizationId &&
        each.env_scope === envScope &&
        each.period === period,
    );
    if (row === undefined || limit === null) continue;
    if (!crossesLowQuota({ used: row.used, tokens, limit })) continue;
    const data = { period, used: row.used, limit };
    await appendEvent(tx, { organizationId, envScope, type: 'quota.low', data });
  }
}
