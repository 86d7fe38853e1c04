import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import type { DeprecatedVersion, SoldVersion } from '../../rules/products/sold-version.ts';
import { assertVersionMayMove, type VersionMove } from '../../rules/products/version-states.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

type ProductRow = Selectable<Database['products']>;
type VersionRow = Selectable<Database['product_versions']>;

export interface Version extends VersionRow {}

export interface Product extends ProductRow {
  readonly current: Version | null;
  /** The current version, or the newest if there is none. */
  readonly shown: Version | null;
}

export interface NewVersion {
  readonly version: string;
  readonly provider: string;
  readonly action: string;
  readonly paramsSchemaRef: string;
  readonly resultSchemaRef: string;
  readonly pricingHint: string | null;
  readonly rateLimitHint: string | null;
  readonly metadata: string | null;
  readonly publish: boolean;
}

export interface NewProduct {
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly category: string | null;
}

/** The product catalog. */
export const productScripts = {
  /**
   * Creates a product and its first version in one transaction.
   * @throws ServiceError CONFLICT_DUPLICATE for an existing code
   */
  create: write(
    async (
      tx,
      input: { product: NewProduct; version: NewVersion | null; actor: Actor },
    ): Promise<{ product: Product; version: Version | null }> => {
      const now = await tx.now();
      const id = await insertProduct(tx, input.product, now);
      if (id === null) throw new ServiceError('CONFLICT_DUPLICATE');
      const version = input.version && (await addVersion(tx, id, input.version, now));
      await recordAct(tx, input.actor, {
        organizationId: null,
        act: 'product.create',
        target: input.product.code,
      });
      return { product: await requireProduct(tx, id), version };
    },
  ),

  /** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_DUPLICATE */
  addVersion: write(
    async (
      tx,
      input: { productId: number; version: NewVersion; actor: Actor },
    ): Promise<Version> => {
      await tx.dialect.lock(tx, `catalog:${input.productId}`);
      const product = await requireProduct(tx, input.productId);
      const version = await addVersion(tx, product.id, input.version, await tx.now());
      await recordAct(tx, input.actor, {
        organizationId: null,
        act: 'product.add_version',
        target: `${product.code}@${version.version}`,
      });
      return version;
    },
  ),

  /** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE, CONFLICT_DUPLICATE */
  moveVersion: write(
    async (
      tx,
      input: { productId: number; version: string; to: VersionMove; actor: Actor },
    ): Promise<Version> => {
      await tx.dialect.lock(tx, `catalog:${input.productId}`);
      const product = await requireProduct(tx, input.productId);
      const version = await tx.db
        .selectFrom('product_versions')
        .select(COLUMNS.product_versions)
        .where('product_id', '=', product.id)
        .where('version', '=', input.version)
        .executeTakeFirst();
      if (!version) throw new ServiceError('RESOURCE_NOT_FOUND');
      const now = await tx.now();
      assertVersionMayMove(
        {
          status: version.version_status,
          isCurrent: product.current_version_id === version.id,
          deprecatedAt: version.deprecated_at,
        },
        input.to,
        now,
      );
      const moved = await moveVersion(tx, version, input.to, now);
      await recordAct(tx, input.actor, {
        organizationId: null,
        act: 'product.move_version',
        target: `${product.code}@${version.version}`,
        details: { from: version.version_status, to: input.to },
      });
      return moved;
    },
  ),

  /** In the order of their ids. */
  list: read(
    async (
      tx,
      filter: { provider: string | null; after: number; limit: number },
    ): Promise<Product[]> => {
      let query = tx.db
        .selectFrom('products')
        .select(COLUMNS.products)
        .where('id', '>', filter.after)
        .orderBy('id')
        .limit(filter.limit);
      const { provider } = filter;
      if (provider !== null) {
        query = query.where('id', 'in', (db) =>
          db.selectFrom('product_versions').select('product_id').where('provider', '=', provider),
        );
      }
      return withVersions(tx, await query.execute());
    },
  ),

  find: read(async (tx, id: number): Promise<Product | null> => findProduct(tx, id)),

  versions: read(async (tx, productId: number): Promise<Version[] | null> => {
    if (!(await findProduct(tx, productId))) return null;
    return tx.db
      .selectFrom('product_versions')
      .select(COLUMNS.product_versions)
      .where('product_id', '=', productId)
      .orderBy('id', 'desc')
      .execute();
  }),

  /** The current version of every product that has one. */
  sold: read(
    async (tx): Promise<SoldVersion[]> =>
      tx.db
        .selectFrom('products')
        .innerJoin('product_versions', 'product_versions.id', 'products.current_version_id')
        .select([
          'product_versions.action',
          'product_versions.id as versionId',
          'product_versions.result_schema_ref as resultSchema',
          'product_versions.version_status as status',
          'product_versions.published_at as publishedAt',
        ])
        .execute(),
  ),

  /** Versions that are deprecated and not retired, current or not: jobs of before still carry them. */
  deprecated: read(
    async (tx): Promise<DeprecatedVersion[]> =>
      tx.db
        .selectFrom('product_versions')
        .select(['id as versionId', 'deprecated_at as deprecatedAt'])
        .where('version_status', '=', 'DEPRECATED')
        .execute(),
  ),

  /** Creates a product with the published version `v1` for every action without one. Returns how many. */
  seed: write(
    async (tx, wanted: readonly (NewProduct & { version: NewVersion })[]): Promise<number> => {
      await tx.dialect.lock(tx, 'catalog:seed');
      const sold = await tx.db.selectFrom('product_actions').select('action').execute();
      const known = new Set(sold.map(({ action }) => action));
      const missing = wanted.filter(({ version }) => !known.has(version.action));
      const now = await tx.now();
      for (const { version, ...product } of missing) {
        await addVersion(tx, await insertSeller(tx, product, now), version, now);
      }
      return missing.length;
    },
  ),
};

/** Its id, or null when the code is taken. */
async function insertProduct(
  tx: Transaction,
  { code, name, description, category }: NewProduct,
  now: number,
): Promise<number | null> {
  const row = await tx.db
    .insertInto('products')
    .values({
      code,
      name,
      description,
      category,
      current_version_id: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** An operator's own product may have the code already. It is left alone, whatever it sells, and this one numbered. */
async function insertSeller(tx: Transaction, product: NewProduct, now: number): Promise<number> {
  let id = await insertProduct(tx, product, now);
  for (let number = 2; id === null; number += 1) {
    id = await insertProduct(tx, { ...product, code: `${product.code}-${number}` }, now);
  }
  return id;
}

async function addVersion(
  tx: Transaction,
  productId: number,
  version: NewVersion,
  now: number,
): Promise<Version> {
  const row = await tx.db
    .insertInto('product_versions')
    .values({
      product_id: productId,
      version: version.version,
      version_status: 'DRAFT',
      provider: version.provider,
      action: version.action,
      params_schema_ref: version.paramsSchemaRef,
      result_schema_ref: version.resultSchemaRef,
      pricing_hint: version.pricingHint,
      rate_limit_hint: version.rateLimitHint,
      metadata: version.metadata,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['product_id', 'version']).doNothing())
    .returning(COLUMNS.product_versions)
    .executeTakeFirst();
  if (!row) throw new ServiceError('CONFLICT_DUPLICATE');
  return version.publish ? moveVersion(tx, row, 'PUBLISHED', now) : row;
}

async function moveVersion(
  tx: Transaction,
  version: Version,
  to: VersionMove,
  now: number,
): Promise<Version> {
  if (to === 'PUBLISHED') await noteSeller(tx, version);
  const stamp = { PUBLISHED: 'published_at', DEPRECATED: 'deprecated_at', RETIRED: 'retired_at' };
  const moved = await tx.db
    .updateTable('product_versions')
    .set({ version_status: to, [stamp[to]]: now })
    .where('id', '=', version.id)
    .returning(COLUMNS.product_versions)
    .executeTakeFirstOrThrow();
  await tx.db
    .updateTable('products')
    .set({ updated_at: now, ...(to === 'PUBLISHED' ? { current_version_id: version.id } : {}) })
    .where('id', '=', version.product_id)
    .execute();
  return moved;
}

/** Remembers the first product of an action, so that it is seeded once and the previous release finds it. */
async function noteSeller(tx: Transaction, { action, product_id }: Version): Promise<void> {
  await tx.db
    .insertInto('product_actions')
    .values({ action, product_id })
    .onConflict((conflict) => conflict.column('action').doNothing())
    .execute();
}

async function findProduct(tx: Transaction, id: number): Promise<Product | null> {
  const rows = await tx.db
    .selectFrom('products')
    .select(COLUMNS.products)
    .where('id', '=', id)
    .execute();
  const [product] = await withVersions(tx, rows);
  return product ?? null;
}

async function requireProduct(tx: Transaction, id: number): Promise<Product> {
  const product = await findProduct(tx, id);
  if (!product) throw new ServiceError('RESOURCE_NOT_FOUND');
  return product;
}

async function withVersions(tx: Transaction, products: readonly ProductRow[]): Promise<Product[]> {
  if (products.length === 0) return [];
  const ids = products.map(({ id }) => id);
  const versions = await tx.db
    .selectFrom('product_versions')
    .select(COLUMNS.product_versions)
    .where('product_id', 'in', ids)
    .orderBy('id')
    .execute();
  return products.map((product) => {
    const own = versions.filter(({ product_id }) => product_id === product.id);
    const current = own.find(({ id }) => id === product.current_version_id) ?? null;
    return { ...product, current, shown: current ?? own.at(-1) ?? null };
  });
}
