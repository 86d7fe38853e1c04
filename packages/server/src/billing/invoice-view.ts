import type { Invoice as InvoiceRecord } from '@changgu/contract/schemas';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Invoice } from '../store/billing/invoices.ts';

/** An invoice as the wire shows it. */
export function invoiceRecord(invoice: Invoice): InvoiceRecord {
  return {
    invoice_id: invoice.id,
    organization_id: invoice.organization_id,
    subscription_id: invoice.subscription_id,
    env_scope: invoice.env_scope,
    invoice_number: invoice.invoice_number,
    status: invoice.status,
    subtotal_amount_minor: invoice.subtotal_amount,
    tax_amount_minor: invoice.tax_amount,
    total_amount_minor: invoice.total_amount,
    currency: 'KRW',
    period_start: kstTimeOrNull(invoice.period_start),
    period_end: kstTimeOrNull(invoice.period_end),
    issued_at: kstTimeOrNull(invoice.issued_at),
    due_at: kstTimeOrNull(invoice.due_at),
    paid_at: kstTimeOrNull(invoice.paid_at),
    voided_at: kstTimeOrNull(invoice.voided_at),
    items: invoice.items.map(itemRecord),
    created_at: kstTime(invoice.created_at),
  };
}

function itemRecord(item: Invoice['items'][number]): InvoiceRecord['items'][number] {
  return {
    invoice_item_id: item.id,
    description: item.description,
    quantity: item.quantity,
    unit_amount_minor: item.unit_amount,
    amount_minor: item.amount,
    currency: 'KRW',
    item_kind: item.item_kind,
    period_start: kstTimeOrNull(item.period_start),
    period_end: kstTimeOrNull(item.period_end),
  };
}
