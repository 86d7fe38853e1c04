import type { CatalogueAction, CatalogueInstitution } from '@changgu/contract/catalogue';
import type { Store } from '../store/database.ts';

/** Creates a product with the published version `v1` for every action of the catalog. Safe to repeat. */
export async function seedProducts(
  store: Pick<Store, 'products'>,
  institutions: readonly CatalogueInstitution[],
): Promise<void> {
  const products = institutions.flatMap(({ kind, actions }) =>
    actions.map((action) => seedOf(action, kind)),
  );
  await store.products.seed(products);
}

function seedOf({ id, provider, title, description }: CatalogueAction, category: string) {
  return {
    code: id,
    name: title.ko,
    description: description.ko,
    category,
    version: {
      version: 'v1',
      provider,
      action: id,
      paramsSchemaRef: `${id}.v1`,
      resultSchemaRef: `${id}.v1`,
      pricingHint: null,
      rateLimitHint: null,
      metadata: null,
      publish: true,
    },
  };
}
