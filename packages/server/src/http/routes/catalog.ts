import { operations } from '@changgu/contract/schemas';
import {
  type CatalogDependencies,
  createProduct,
  createVersion,
  listProducts,
  listVersions,
  moveVersion,
  readProduct,
} from '../../catalog/products.ts';
import { actorOf } from '../../rules/principals/actor.ts';
import type { VersionMove } from '../../rules/products/version-states.ts';
import type { HttpApp } from '../app.ts';
import { type OperationRequest, route } from '../route.ts';

const { catalog } = operations;

type MoveRequest = Pick<
  OperationRequest<typeof catalog.publishProductVersion>,
  'principal' | 'origin' | 'params'
>;

/** Products and their versions. */
export function catalogRoutes(app: HttpApp, deps: CatalogDependencies): void {
  route(app, catalog.listProducts, async ({ query }) => ({
    status: 200,
    body: await listProducts(deps, query),
  }));
  route(app, catalog.readProduct, async ({ params }) => ({
    status: 200,
    body: await readProduct(deps, params.id),
  }));
  route(app, catalog.createProduct, async ({ principal, origin, body }) => ({
    status: 201,
    body: await createProduct(deps, body, actorOf(principal, origin)),
  }));
  route(app, catalog.listProductVersions, async ({ params }) => ({
    status: 200,
    body: await listVersions(deps, params.id),
  }));
  route(app, catalog.createProductVersion, async ({ principal, origin, params, body }) => ({
    status: 201,
    body: await createVersion(deps, params.id, body, actorOf(principal, origin)),
  }));
  const move =
    (to: VersionMove) =>
    async ({ principal, origin, params }: MoveRequest) => ({
      status: 200 as const,
      body: await moveVersion(deps, {
        productId: params.id,
        version: params.version,
        to,
        actor: actorOf(principal, origin),
      }),
    });
  route(app, catalog.publishProductVersion, move('PUBLISHED'));
  route(app, catalog.deprecateProductVersion, move('DEPRECATED'));
  route(app, catalog.retireProductVersion, move('RETIRED'));
}
