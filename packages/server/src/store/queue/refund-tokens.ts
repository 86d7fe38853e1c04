import type { EnvScope } from '@changgu/contract';
import { inLockOrder } from '../transactions/lock-order.ts';
import type { Transaction } from '../transactions/script.ts';

interface ChargedJob {
  readonly organization_id: number;
  readonly env_scope: EnvScope;
  readonly usage_tokens: number;
  readonly charged_periods: string;
}

/**
 * Returns the tokens of jobs that never ran. In the order in which submissions take the rows, days before what they are
 * part of.
 */
export async function refundTokens(tx: Transaction, jobs: readonly ChargedJob[]): Promise<void> {
  const refunds = new Map<string, { job: ChargedJob; period: string; tokens: number }>();
  for (const job of jobs) {
    if (job.usage_tokens === 0) continue;
    // Written by the submission.
    const periods: string[] = JSON.parse(job.charged_periods);
    for (const period of periods) {
      const isDay = period.startsWith('day:');
      const row = `${job.organization_id} ${job.env_scope} ${isDay ? 0 : 1} ${period}`;
      const tokens = job.usage_tokens + (refunds.get(row)?.tokens ?? 0);
      refunds.set(row, { job, period, tokens });
    }
  }
  for (const [, refund] of [...refunds].toSorted(([a], [b]) => inLockOrder(a, b))) {
    const { job, period, tokens } = refund;
    await tx.db
      .updateTable('usage')
      .set((eb) => ({ used: eb('used', '-', tokens) }))
      .where('organization_id', '=', job.organization_id)
      .where('env_scope', '=', job.env_scope)
      .where('period', '=', period)
      .execute();
  }
}
