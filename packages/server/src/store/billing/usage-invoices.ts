import { sql } from 'kysely';
import type { NewInvoice } from '../../rules/invoices/new-invoice.ts';
import type { BilledMonth, ChargedMonth } from '../../rules/invoices/usage-invoice.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { IS_QUEUED } from '../queue/job-predicates.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { insertInvoice } from './invoices.ts';

/** Monthly invoices drafted from charged tokens: one per organization and month, however often this runs. */
export const usageInvoiceScripts = {
  /** Organizations with jobs accepted in the month, or before it, that may still give their tokens back. */
  withQueuedJobs: read(async (tx, { end }: Pick<BilledMonth, 'end'>): Promise<number[]> => {
    const rows = await tx.db
      .selectFrom('jobs')
      .select('organization_id')
      .distinct()
      .where(IS_QUEUED)
      .where('env_scope', '=', 'production')
      .where('submitted_at', '<', end)
      .execute();
    return rows.map((row) => row.organization_id);
  }),

  /** Organizations with charged production tokens or a subscription, and no invoice for the month yet. */
  chargedMonths: read(async (tx, { month, start, end }: BilledMonth): Promise<ChargedMonth[]> => {
    const rows = await tx.db
      .selectFrom('organizations')
      .select([
        'organizations.id as organizationId',
        'organizations.plan_code as currentPlan',
        (eb) =>
          eb
            .selectFrom('usage')
            .select(({ fn }) => fn.coalesce(fn.sum<number>('used'), sql<number>`0`).as('used'))
            .whereRef('usage.organization_id', '=', 'organizations.id')
            .where('usage.env_scope', '=', 'production')
            .where('usage.period', 'like', `day:${month}-%`)
            .as('tokens'),
        (eb) =>
          eb
            .selectFrom('subscriptions')
            .select(({ fn }) => fn.max('subscriptions.id').as('id'))
            .whereRef('subscriptions.organization_id', '=', 'organizations.id')
            .where('subscriptions.created_at', '<', end)
            .where(sql<boolean>`coalesce(organizations.deleted_at, ${start}) >= ${start}`)
            .where((inner) =>
              inner.or([
                inner('subscriptions.status', 'in', ['ACTIVE', 'PAUSED']),
                inner('subscriptions.canceled_at', '>=', start),
                inner.and([
                  inner('subscriptions.status', '=', 'EXPIRED'),
                  inner('subscriptions.current_period_end', '>=', start),
                ]),
              ]),
            )
            .as('subscriptionId'),
      ])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('invoices')
              .select('invoices.id')
              .whereRef('invoices.organization_id', '=', 'organizations.id')
              .where('invoices.env_scope', '=', 'production')
              .where('invoices.usage_month', '=', month)
              .where('invoices.status', '<>', 'VOID'),
          ),
        ),
      )
      .orderBy('organizations.id')
      .execute();
    const billed = rows.filter(
      ({ tokens, subscriptionId }) => Number(tokens) > 0 || subscriptionId,
    );
    return Promise.all(
      billed.map(async ({ organizationId, currentPlan, tokens, subscriptionId }) => ({
        organizationId,
        subscriptionId,
        planCode: (await planOf(tx, subscriptionId)) ?? currentPlan,
        tokens: Number(tokens),
      })),
    );
  }),

  /** Null when another process drafted it in the meantime: the unique index decides. */
  draft: write(async (tx, input: { invoice: NewInvoice; actor: Actor }): Promise<string | null> => {
    const { organizationId, usageMonth } = input.invoice;
    await tx.dialect.lock(tx, `usage-invoice:${organizationId}:${usageMonth}`);
    const there = await tx.db
      .selectFrom('invoices')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('env_scope', '=', 'production')
      .where('usage_month', '=', usageMonth)
      .where('status', '<>', 'VOID')
      .executeTakeFirst();
    if (there) return null;
    const { invoice_number: number } = await insertInvoice(tx, input.invoice);
    await recordAct(tx, input.actor, { organizationId, act: 'invoice.draft', target: number });
    return number;
  }),
};

async function planOf(tx: Transaction, subscriptionId: number | null): Promise<string | null> {
  if (subscriptionId === null) return null;
  const row = await tx.db
    .selectFrom('subscriptions')
    .select('plan_code')
    .where('id', '=', subscriptionId)
    .executeTakeFirst();
  return row?.plan_code ?? null;
}
