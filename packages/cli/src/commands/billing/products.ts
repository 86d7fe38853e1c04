import type { Cli } from '../../cli.ts';
import type { Shape } from '../../output/output.ts';
import { getWire, listWire } from './wire-list.ts';

const PRODUCT: Shape = {
  columns: ['id', 'code', 'name', 'action', 'usage_tokens'],
  id: 'id',
  asIs: true,
};

/** The products of the service, also those of institutions that only it knows. */
export function list(cli: Cli, { limit }: { readonly limit: number }): Promise<undefined> {
  return listWire(cli, { path: '/v1/products', as: 'client', limit, shape: PRODUCT });
}

export function get(cli: Cli, id: string): Promise<undefined> {
  return getWire(cli, {
    path: `/v1/products/${encodeURIComponent(id)}`,
    as: 'client',
    shape: PRODUCT,
  });
}
