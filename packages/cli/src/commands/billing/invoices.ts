import type { InvoiceQuery } from '@changgu/sdk';
import { reads } from '../../command.ts';
import { listFirst, pageSizeFor } from '../../output/list-first.ts';
import type { Shape } from '../../output/shape.ts';
import { getWire } from './get-wire.ts';

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
  async (cli, { status, subscription, organization, limit }) => {
    const client = await cli.client('any');
    const query: InvoiceQuery = {
      limit: pageSizeFor(limit),
      // The service refuses an unknown status and names the known ones.
      ...(status === undefined ? {} : { status: status as NonNullable<InvoiceQuery['status']> }),
      ...(subscription === undefined ? {} : { subscriptionId: subscription }),
      ...(organization === undefined ? {} : { organizationId: organization }),
    };
    return listFirst(cli, client.billing.eachInvoice(query, cli.call), INVOICE, { limit });
  },
);

export const get = reads<[id: string]>(INVOICE, (cli, id) => {
  const path = `/v1/billing/invoices/${encodeURIComponent(id)}`;
  return getWire(cli, { path, as: 'console', shape: INVOICE });
});
