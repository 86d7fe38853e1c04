import { reads } from '../../command.ts';
import type { Shape } from '../../output/shape.ts';
import { getWire, listWire } from './wire-list.ts';

const PRODUCT: Shape = {
  fields: null,
  columns: ['id', 'code', 'name', 'action', 'usage_tokens'],
  expendable: ['code', 'action'],
  id: 'id',
};

/** The service's products, including those of its custom institutions. */
export const list = reads<[options: { readonly limit: number }]>(PRODUCT, (cli, { limit }) =>
  listWire(cli, { path: '/v1/products', as: 'client', limit, shape: PRODUCT }),
);

export const get = reads<[id: string]>(PRODUCT, (cli, id) => {
  const path = `/v1/products/${encodeURIComponent(id)}`;
  return getWire(cli, { path, as: 'client', shape: PRODUCT });
});
