import { LIMITS } from '@changgu/contract';
import type { CatalogueAction, CatalogueInstitution } from '@changgu/contract/catalogue';
import type {
  ProductCreateRequest,
  ProductCreateResponse,
  ProductListResponse,
  ProductRecord,
  ProductVersionListResponse,
  ProductVersionRecord,
  ProductVersionRequest,
} from '@changgu/contract/schemas';
import { decodeCursor, encodeCursor } from '../requests/list-cursor.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { checkHints } from '../rules/products/hints.ts';
import type { VersionMove } from '../rules/products/version-states.ts';
import { invalidShape, invalidValue, ServiceError } from '../rules/service-error.ts';
import type { NewVersion } from '../store/catalog/products.ts';
import type { Store } from '../store/database.ts';
import { productRecord, versionEcho, versionRecord } from './product-view.ts';
import type { SoldVersions } from './sold-versions.ts';

export interface CatalogDependencies {
  readonly store: Pick<Store, 'products'>;
  readonly institutions: readonly CatalogueInstitution[];
  readonly sold: SoldVersions;
}

interface ListQuery {
  readonly provider?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page, oldest product first. Concurrent inserts make the cursor neither skip nor repeat. */
export async function listProducts(
  deps: CatalogDependencies,
  { provider, limit = LIMITS.page.default, cursor }: ListQuery,
): Promise<ProductListResponse> {
  const filters = { list: 'products', provider: provider ?? null };
  const after = cursor === undefined ? 0 : decodeCursor(cursor, filters);
  const rows = await deps.store.products.list({
    provider: filters.provider,
    after,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((product) => productRecord(product, finder(deps))),
    next_cursor: rows.length > limit && last ? encodeCursor(last.id, filters) : null,
  };
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
export async function readProduct(deps: CatalogDependencies, id: number): Promise<ProductRecord> {
  const product = await deps.store.products.find(id);
  if (!product) throw new ServiceError('RESOURCE_NOT_FOUND');
  return productRecord(product, finder(deps));
}

/**
 * Creates a product and its first version, or neither.
 * @throws ServiceError 400 for an unknown provider or action, or a hint that would decide a policy; 422 for a hint
 *   that is too large and for a schema of another action; CONFLICT_DUPLICATE
 */
export async function createProduct(
  deps: CatalogDependencies,
  body: ProductCreateRequest,
  actor: Actor,
): Promise<ProductCreateResponse> {
  const initial = body.initial_version ?? null;
  const { product, version } = await deps.store.products.create({
    product: {
      code: body.code,
      name: body.name,
      description: body.description ?? null,
      category: body.category ?? null,
    },
    version: initial && newVersion(deps, initial, ['body', 'initial_version']),
    actor,
  });
  deps.sold.forget();
  return {
    ...productRecord(product, finder(deps)),
    initial_version: version && versionEcho(version),
  };
}

/** @throws ServiceError as `createProduct`, and RESOURCE_NOT_FOUND */
export async function createVersion(
  deps: CatalogDependencies,
  productId: number,
  body: ProductVersionRequest,
  actor: Actor,
): Promise<ProductVersionRecord> {
  const version = newVersion(deps, body, ['body']);
  const added = await deps.store.products.addVersion({ productId, version, actor });
  deps.sold.forget();
  return versionRecord(added);
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
export async function listVersions(
  deps: CatalogDependencies,
  productId: number,
): Promise<ProductVersionListResponse> {
  const versions = await deps.store.products.versions(productId);
  if (!versions) throw new ServiceError('RESOURCE_NOT_FOUND');
  return { items: versions.map(versionRecord) };
}

/** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE, CONFLICT_DUPLICATE */
export async function moveVersion(
  deps: CatalogDependencies,
  move: {
    readonly productId: number;
    readonly version: string;
    readonly to: VersionMove;
    readonly actor: Actor;
  },
): Promise<ProductVersionRecord> {
  const moved = await deps.store.products.moveVersion(move);
  deps.sold.forget();
  return versionRecord(moved);
}

function newVersion(
  deps: CatalogDependencies,
  body: ProductVersionRequest,
  at: readonly string[],
): NewVersion {
  const { provider, action } = body;
  const institution = deps.institutions.find((known) => known.provider === provider);
  if (!institution) throw unknown([...at, 'provider'], 'The provider is not registered');
  if (!institution.actions.some(({ id }) => id === action)) {
    throw unknown([...at, 'action'], 'The provider has no such action');
  }
  const { pricing_hint, rate_limit_hint, metadata } = body;
  checkHints({ pricing_hint, rate_limit_hint, metadata }, at);
  return {
    version: body.version,
    provider,
    action,
    paramsSchemaRef: schemaRef(body, 'params_schema_ref', at),
    resultSchemaRef: schemaRef(body, 'result_schema_ref', at),
    pricingHint: jsonOrNull(pricing_hint),
    rateLimitHint: jsonOrNull(rate_limit_hint),
    metadata: jsonOrNull(metadata),
    publish: body.publish_immediately ?? false,
  };
}

/**
 * Results carry it as their label, so it names the action of the version. The provider may stand before it once
 * more, and is left out.
 * @throws ServiceError 422
 */
function schemaRef(
  version: ProductVersionRequest,
  name: 'params_schema_ref' | 'result_schema_ref',
  at: readonly string[],
): string {
  const { provider, action } = version;
  const ref = version[name] ?? `${action}.v1`;
  const own = ref.startsWith(`${provider}.${action}.`) ? ref.slice(provider.length + 1) : ref;
  if (own.startsWith(`${action}.`) && /^v\d+$/.test(own.slice(action.length + 1))) return own;
  const msg = `Value should be ${action}.v<N>`;
  throw invalidShape([{ loc: [...at, name], msg, type: 'string_pattern_mismatch' }]);
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function unknown(loc: readonly string[], msg: string): ServiceError {
  return invalidValue([{ loc, msg, type: 'value_error' }]);
}

function finder({ institutions }: CatalogDependencies) {
  return (id: string): CatalogueAction | undefined =>
    institutions.flatMap(({ actions }) => actions).find((action) => action.id === id);
}
