import { reads } from '../../command.ts';
import { listFirst, pageSizeFor } from '../../output/list-first.ts';
import type { Shape } from '../../output/shape.ts';
import { getWire } from './get-wire.ts';

const PRODUCT: Shape = {
  fields: null,
  columns: ['id', 'code', 'name', 'action', 'usage_tokens'],
  expendable: ['code', 'action'],
  id: 'id',
};

/** The service's products, including those of its custom institutions. */
export const list = reads<[options: { readonly limit: number }]>(
  PRODUCT,
  async (cli, { limit }) => {
    const client = await cli.client('any');
    const products = client.products.each({ limit: pageSizeFor(limit) }, cli.call);
    return listFirst(cli, products, PRODUCT, { limit });
  },
);

export const get = reads<[id: string]>(PRODUCT, (cli, id) => {
  const path = `/v1/products/${encodeURIComponent(id)}`;
  return getWire(cli, { path, as: 'client', shape: PRODUCT });
});
