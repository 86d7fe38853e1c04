import { randomInt } from 'node:crypto';
import type { EnvScope } from '@changgu/contract';
import type { Selectable } from 'kysely';
import { invoiceNumber } from '../../rules/invoices/invoice-number.ts';
import type { InvoiceStatus } from '../../rules/invoices/invoice-states.ts';
import { assertInvoiceMayMove, refund } from '../../rules/invoices/invoice-states.ts';
import type { NewInvoice } from '../../rules/invoices/new-invoice.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

type InvoiceRow = Selectable<Database['invoices']>;
type ItemRow = Selectable<Database['invoice_items']>;

export interface Invoice extends InvoiceRow {
  readonly items: readonly ItemRow[];
}

interface InvoiceFilter {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly subscriptionId: number | null;
  /** Matches any of these; empty matches all. */
  readonly statuses: readonly InvoiceStatus[];
  /** The last invoice of the previous page, or null. */
  readonly after: number | null;
  readonly limit: number;
}

type Move = 'OPEN' | 'PAID' | 'VOID' | 'UNCOLLECTIBLE';

/** Invoices. */
export const invoiceScripts = {
  /** @throws ServiceError RESOURCE_NOT_FOUND for a missing organization or subscription */
  record: write(async (tx, input: { invoice: NewInvoice; actor: Actor }): Promise<Invoice> => {
    const { invoice, actor } = input;
    await requireOrganization(tx, invoice.organizationId);
    await requireSubscription(tx, invoice);
    const recorded = await insertInvoice(tx, invoice);
    await recordAct(tx, actor, {
      organizationId: invoice.organizationId,
      act: 'invoice.record',
      target: recorded.invoice_number,
    });
    return recorded;
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  move: write(async (tx, input: { id: number; to: Move; actor: Actor }): Promise<Invoice> => {
    const invoice = await lockInvoice(tx, input.id);
    assertInvoiceMayMove(invoice.status, input.to);
    if (input.to === 'OPEN' && invoice.items.length === 0) throw nothingToBill();
    const stamp = { OPEN: 'issued_at', PAID: 'paid_at', VOID: 'voided_at', UNCOLLECTIBLE: null };
    const column = stamp[input.to];
    await tx.db
      .updateTable('invoices')
      .set({ status: input.to, ...(column === null ? {} : { [column]: await tx.now() }) })
      .where('id', '=', invoice.id)
      .execute();
    return recordMove(tx, invoice, input.to, input.actor);
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  refund: write(
    async (tx, input: { id: number; amount: number | null; actor: Actor }): Promise<Invoice> => {
      const invoice = await lockInvoice(tx, input.id);
      const { status, total_amount: total, refunded_amount: refunded } = invoice;
      const after = refund({ status, total, refunded }, input.amount);
      await tx.db
        .updateTable('invoices')
        .set({ status: after.status, refunded_amount: after.refunded })
        .where('id', '=', invoice.id)
        .execute();
      return recordMove(tx, invoice, after.status, input.actor);
    },
  ),

  find: read(async (tx, id: number): Promise<Invoice | null> => findInvoice(tx, id)),

  /**
   * Newest first; concurrent inserts do not shift pages.
   * @throws ServiceError RESOURCE_NOT_FOUND for a subscription that the organization does not have
   */
  list: read(async (tx, filter: InvoiceFilter): Promise<Invoice[]> => {
    const { organizationId, envScope, subscriptionId, statuses, after, limit } = filter;
    await requireSubscription(tx, filter);
    let query = tx.db
      .selectFrom('invoices')
      .select(COLUMNS.invoices)
      .where('organization_id', '=', organizationId)
      .where('env_scope', '=', envScope)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (subscriptionId !== null) query = query.where('subscription_id', '=', subscriptionId);
    if (statuses.length > 0) query = query.where('status', 'in', statuses);
    if (after !== null) {
      query = query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('created_at', 'id'),
          '<',
          selectFrom('invoices as last')
            .select(['last.created_at', 'last.id'])
            .where('last.id', '=', after)
            .$asTuple('created_at', 'id'),
        ),
      );
    }
    return withItems(tx, await query.execute());
  }),
};

/** Inserts the invoice and its items, or neither. The database guarantees that its number is unique. */
export async function insertInvoice(
  tx: Transaction,
  invoice: NewInvoice,
  randomBelow: (limit: number) => number = randomInt,
): Promise<Invoice> {
  const id = await insertNumbered(tx, invoice, randomBelow);
  if (invoice.items.length > 0) {
    await tx.db
      .insertInto('invoice_items')
      .values(invoice.items.map((item) => ({ ...item, invoice_id: id })))
      .execute();
  }
  return requireInvoice(tx, id);
}

/** Chance may give a number that is taken, and then another one. */
async function insertNumbered(
  tx: Transaction,
  invoice: NewInvoice,
  randomBelow: (limit: number) => number,
): Promise<number> {
  const createdAt = invoice.createdAt ?? (await tx.now());
  for (;;) {
    const row = await tx.db
      .insertInto('invoices')
      .values({
        organization_id: invoice.organizationId,
        subscription_id: invoice.subscriptionId,
        env_scope: invoice.envScope,
        invoice_number: invoiceNumber(createdAt, randomBelow),
        status: 'DRAFT',
        subtotal_amount: invoice.subtotal,
        tax_amount: invoice.tax,
        total_amount: invoice.subtotal + invoice.tax,
        period_start: invoice.periodStart,
        period_end: invoice.periodEnd,
        due_at: invoice.dueAt,
        usage_month: invoice.usageMonth,
        created_at: createdAt,
      })
      .onConflict((conflict) => conflict.column('invoice_number').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) return row.id;
  }
}

async function recordMove(
  tx: Transaction,
  invoice: Invoice,
  to: InvoiceStatus,
  actor: Actor,
): Promise<Invoice> {
  await recordAct(tx, actor, {
    organizationId: invoice.organization_id,
    act: 'invoice.move',
    target: invoice.invoice_number,
    details: { from: invoice.status, to },
  });
  return requireInvoice(tx, invoice.id);
}

async function lockInvoice(tx: Transaction, id: number): Promise<Invoice> {
  await tx.dialect.lock(tx, `invoice:${id}`);
  return requireInvoice(tx, id);
}

async function requireInvoice(tx: Transaction, id: number): Promise<Invoice> {
  const invoice = await findInvoice(tx, id);
  if (!invoice) throw new ServiceError('RESOURCE_NOT_FOUND');
  return invoice;
}

async function findInvoice(tx: Transaction, id: number): Promise<Invoice | null> {
  const rows = await tx.db
    .selectFrom('invoices')
    .select(COLUMNS.invoices)
    .where('id', '=', id)
    .execute();
  const [invoice] = await withItems(tx, rows);
  return invoice ?? null;
}

async function withItems(tx: Transaction, rows: readonly InvoiceRow[]): Promise<Invoice[]> {
  if (rows.length === 0) return [];
  const items = await tx.db
    .selectFrom('invoice_items')
    .select(COLUMNS.invoice_items)
    .where(
      'invoice_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    items: items.filter(({ invoice_id }) => invoice_id === row.id),
  }));
}

async function requireSubscription(
  tx: Transaction,
  { organizationId, subscriptionId }: Pick<NewInvoice, 'organizationId' | 'subscriptionId'>,
): Promise<void> {
  if (subscriptionId === null) return;
  const subscription = await tx.db
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', subscriptionId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (!subscription) throw new ServiceError('RESOURCE_NOT_FOUND');
}

function nothingToBill(): ServiceError {
  return new ServiceError('CONFLICT_STATE', {
    message: {
      ko: '항목이 없는 청구서는 발행할 수 없습니다.',
      en: 'An invoice without items cannot be issued.',
    },
  });
}
