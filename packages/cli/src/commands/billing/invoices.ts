import { reads } from '../../command.ts';
import type { Shape } from '../../output/shape.ts';
import { getWire, listWire } from './wire-list.ts';

const INVOICE: Shape = {
  fields: null,
  columns: [
    'invoice_id',
    'invoice_number',
    'status',
    'total_amount_minor',
    'currency',
    'issued_at',
  ],
  expendable: ['invoice_number'],
  id: 'invoice_id',
};

export interface ListOptions {
  readonly status?: string[] | undefined;
  readonly subscription?: number | undefined;
  readonly organization?: number | undefined;
  readonly limit: number;
}

/** Invoices of this environment, newest first. */
export const list = reads<[options: ListOptions]>(
  INVOICE,
  (cli, { status, subscription, organization, limit }) =>
    listWire(cli, {
      path: '/v1/billing/invoices',
      as: 'console',
      query: { status, subscription_id: subscription, organization_id: organization },
      limit,
      shape: INVOICE,
    }),
);

export const get = reads<[id: string]>(INVOICE, (cli, id) => {
  const path = `/v1/billing/invoices/${encodeURIComponent(id)}`;
  return getWire(cli, { path, as: 'console', shape: INVOICE });
});
