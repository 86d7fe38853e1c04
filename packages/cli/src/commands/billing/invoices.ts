import type { Cli } from '../../cli.ts';
import type { Shape } from '../../output/output.ts';
import { getWire, listWire } from './wire-list.ts';

const INVOICE: Shape = {
  columns: [
    'invoice_id',
    'invoice_number',
    'status',
    'total_amount_minor',
    'currency',
    'issued_at',
  ],
  id: 'invoice_id',
  asIs: true,
};

export interface ListOptions {
  readonly status?: string[] | undefined;
  readonly subscription?: number | undefined;
  readonly organization?: number | undefined;
  readonly limit: number;
}

/** Invoices of this environment, newest first. */
export function list(
  cli: Cli,
  { status, subscription, organization, limit }: ListOptions,
): Promise<undefined> {
  const query = { status, subscription_id: subscription, organization_id: organization };
  return listWire(cli, {
    path: '/v1/billing/invoices',
    as: 'console',
    query,
    limit,
    shape: INVOICE,
  });
}

export function get(cli: Cli, id: string): Promise<undefined> {
  const path = `/v1/billing/invoices/${encodeURIComponent(id)}`;
  return getWire(cli, { path, as: 'console', shape: INVOICE });
}
