import type { Camel } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';

export interface Product extends Camel.ProductRecord {}
export interface ProductPage extends Camel.ProductListResponse {}
export interface ProductDetails extends Camel.ProductCreateRequest {}
export interface CreatedProduct extends Camel.ProductCreateResponse {}
export interface ProductVersionDetails extends Camel.ProductVersionRequest {}
export interface ProductVersion extends Camel.ProductVersionRecord {}
export interface ProductVersionList extends Camel.ProductVersionListResponse {}
export type ProductQuery = NonNullable<OperationInput<'listProducts'>['query']>;

/** The service's catalog. Anyone may read it; writing needs an admin token. */
export class Products {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** One page of products. */
  list(query: ProductQuery = {}, options?: RequestOptions): Reply<ProductPage> {
    return this.#caller.call('listProducts', { query }, options);
  }

  /** All products, page by page. */
  each(query: ProductQuery = {}, options?: RequestOptions): AsyncGenerator<Product, void, void> {
    return eachItem((place) => this.list({ ...query, ...place }, options));
  }

  get(id: number, options?: RequestOptions): Reply<Product> {
    return this.#caller.call('readProduct', { path: { id } }, options);
  }

  /** Creates a product, together with its initial version if one is given. */
  create(body: ProductDetails, options?: RequestOptions): Reply<CreatedProduct> {
    return this.#caller.call('createProduct', { body }, options);
  }

  listVersions(id: number, options?: RequestOptions): Reply<ProductVersionList> {
    return this.#caller.call('listProductVersions', { path: { id } }, options);
  }

  createVersion(
    id: number,
    body: ProductVersionDetails,
    options?: RequestOptions,
  ): Reply<ProductVersion> {
    return this.#caller.call('createProductVersion', { path: { id }, body }, options);
  }

  /** Makes a version the current one. */
  publishVersion(id: number, version: string, options?: RequestOptions): Reply<ProductVersion> {
    return this.#caller.call('publishProductVersion', { path: { id, version } }, options);
  }

  deprecateVersion(id: number, version: string, options?: RequestOptions): Reply<ProductVersion> {
    return this.#caller.call('deprecateProductVersion', { path: { id, version } }, options);
  }

  /** The current version cannot be retired before another one is current. */
  retireVersion(id: number, version: string, options?: RequestOptions): Reply<ProductVersion> {
    return this.#caller.call('retireProductVersion', { path: { id, version } }, options);
  }
}
