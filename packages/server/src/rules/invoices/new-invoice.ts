import type { EnvScope } from '@changgu/contract';
import type { InvoiceItemKind } from './invoice-sums.ts';

/** Amounts are integer won. */
export interface NewItem {
  readonly description: string;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly amount: number;
  readonly item_kind: InvoiceItemKind;
  readonly period_start: number | null;
  readonly period_end: number | null;
}

export interface NewInvoice {
  readonly organizationId: number;
  readonly subscriptionId: number | null;
  readonly envScope: EnvScope;
  readonly subtotal: number;
  readonly tax: number;
  readonly periodStart: number | null;
  readonly periodEnd: number | null;
  readonly dueAt: number | null;
  /** Null: now. */
  readonly createdAt: number | null;
  readonly usageMonth: string | null;
  readonly items: readonly NewItem[];
}
