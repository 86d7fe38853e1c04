import { type EnvScope, LIMITS } from '@changgu/contract';
import type {
  InvoiceListResponse,
  Invoice as InvoiceRecord,
  InvoiceRecordRequest,
  InvoiceRefundRequest,
} from '@changgu/contract/schemas';
import { decodeCursor, encodeCursor } from '../requests/list-cursor.ts';
import { checkPeriods } from '../rules/invoices/invoice-periods.ts';
import type { InvoiceStatus } from '../rules/invoices/invoice-states.ts';
import { checkSums } from '../rules/invoices/invoice-sums.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { invoiceRecord } from './invoice-view.ts';

interface Invoices {
  readonly store: Pick<Store, 'invoices'>;
}

/** The organization and environment whose invoices are visible; null lets an operator see all. */
export interface InvoiceAccess {
  readonly organizationId: number | null;
  readonly envScope: EnvScope;
}

interface ListQuery {
  readonly subscription_id?: number;
  readonly status?: readonly InvoiceStatus[];
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page, newest first. */
export async function listInvoices(
  { store }: Invoices,
  { organizationId, envScope }: InvoiceAccess & { readonly organizationId: number },
  query: ListQuery,
): Promise<InvoiceListResponse> {
  const limit = query.limit ?? LIMITS.page.default;
  const filters = {
    organizationId,
    envScope,
    subscriptionId: query.subscription_id ?? null,
    statuses: [...(query.status ?? [])].sort(),
  };
  const bound = { list: 'invoices', ...filters };
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, bound);
  const rows = await store.invoices.list({ ...filters, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(invoiceRecord),
    next_cursor: rows.length > limit && last ? encodeCursor(last.id, bound) : null,
  };
}

/** @throws ServiceError RESOURCE_NOT_FOUND, also for another organization's or environment's */
export async function readInvoice(
  { store }: Invoices,
  access: InvoiceAccess,
  id: number,
): Promise<InvoiceRecord> {
  const invoice = await store.invoices.find(id);
  const visible =
    invoice?.env_scope === access.envScope &&
    (access.organizationId === null || access.organizationId === invoice.organization_id);
  if (!invoice || !visible) throw new ServiceError('RESOURCE_NOT_FOUND');
  return invoiceRecord(invoice);
}

/** @throws ServiceError 422 when sums or periods are inconsistent, RESOURCE_NOT_FOUND */
export async function recordInvoice(
  { store }: Invoices,
  body: InvoiceRecordRequest,
  actor: Actor,
): Promise<InvoiceRecord> {
  const items = body.items ?? [];
  checkSums({ ...body, items });
  checkPeriods(items);
  const recorded = await store.invoices.record({
    actor,
    invoice: {
      organizationId: body.organization_id,
      subscriptionId: body.subscription_id ?? null,
      envScope: body.env_scope,
      subtotal: body.subtotal_amount_minor,
      tax: body.tax_amount_minor,
      periodStart: milliseconds(body.period_start),
      periodEnd: milliseconds(body.period_end),
      dueAt: milliseconds(body.due_at),
      createdAt: milliseconds(body.created_at),
      usageMonth: null,
      items: items.map((item) => ({
        description: item.description,
        quantity: item.quantity,
        unit_amount: item.unit_amount_minor,
        amount: item.amount_minor,
        item_kind: item.item_kind,
        period_start: milliseconds(item.period_start),
        period_end: milliseconds(item.period_end),
      })),
    },
  });
  return invoiceRecord(recorded);
}

/** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function moveInvoice(
  { store }: Invoices,
  id: number,
  to: 'OPEN' | 'PAID' | 'VOID' | 'UNCOLLECTIBLE',
  actor: Actor,
): Promise<InvoiceRecord> {
  return invoiceRecord(await store.invoices.move({ id, to, actor }));
}

/** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function refundInvoice(
  { store }: Invoices,
  id: number,
  { amount_minor: amount = null }: InvoiceRefundRequest,
  actor: Actor,
): Promise<InvoiceRecord> {
  return invoiceRecord(await store.invoices.refund({ id, amount, actor }));
}

function milliseconds(time: string | null | undefined): number | null {
  return time === null || time === undefined ? null : Date.parse(time);
}
