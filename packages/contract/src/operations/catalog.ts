import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import {
  ProductCreateRequest,
  ProductCreateResponse,
  ProductListResponse,
  ProductRecord,
  ProductVersionListResponse,
  ProductVersionRecord,
  ProductVersionRequest,
} from '../schemas/catalog.ts';
import { page } from '../schemas/paging.ts';
import { strict } from '../schemas/vocabulary.ts';

const anyPrincipal = {
  client: true,
  console_user: 'MEMBER',
  admin_user: true,
  legacy_api_key: true,
} as const;
const adminOnly = { admin_user: true } as const;
/** Three hints of 64 KiB, in which a client may escape every character. */
const withHints = { maxBodyBytes: LIMITS.largeBodyBytes, freeForm: true } as const;
const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });
const ProductPath = Type.Object({ id: Id });
const VersionPath = Type.Object({ id: Id, version: Type.String({ minLength: 1, maxLength: 20 }) });

export const listProducts = defineOperation({
  id: 'listProducts',
  method: 'GET',
  path: '/v1/products',
  tag: 'catalog',
  summary: 'List the products, each with its current version',
  may: anyPrincipal,
  scope: 'jobs:read',
  environment: 'none',
  query: Type.Object(
    {
      provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      ...page,
    },
    strict,
  ),
  responses: { 200: { description: 'One page', schema: ProductListResponse } },
  errors: [],
});

export const createProduct = defineOperation({
  id: 'createProduct',
  method: 'POST',
  path: '/v1/products',
  tag: 'catalog',
  summary: 'Create a product, optionally with its first version, in one transaction',
  may: adminOnly,
  environment: 'none',
  body: ProductCreateRequest,
  ...withHints,
  responses: { 201: { description: 'The product', schema: ProductCreateResponse } },
  errors: ['CONFLICT_DUPLICATE'],
});

export const readProduct = defineOperation({
  id: 'readProduct',
  method: 'GET',
  path: '/v1/products/{id}',
  tag: 'catalog',
  summary: 'Get a product with its current version',
  may: anyPrincipal,
  scope: 'jobs:read',
  environment: 'none',
  params: ProductPath,
  responses: { 200: { description: 'The product', schema: ProductRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const listProductVersions = defineOperation({
  id: 'listProductVersions',
  method: 'GET',
  path: '/v1/products/{id}/versions',
  tag: 'catalog',
  summary: 'List the versions of a product, newest first',
  may: adminOnly,
  environment: 'none',
  params: ProductPath,
  responses: { 200: { description: 'The versions', schema: ProductVersionListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const createProductVersion = defineOperation({
  id: 'createProductVersion',
  method: 'POST',
  path: '/v1/products/{id}/versions',
  tag: 'catalog',
  summary: 'Add a version to a product',
  may: adminOnly,
  environment: 'none',
  params: ProductPath,
  body: ProductVersionRequest,
  ...withHints,
  responses: { 201: { description: 'The version', schema: ProductVersionRecord } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_DUPLICATE'],
  addition: true,
});

/** A state change of a version: `DRAFT → PUBLISHED → DEPRECATED → RETIRED`, `DRAFT → RETIRED`. */
function transition<const Id extends string>(id: Id, verb: string, summary: string) {
  return defineOperation({
    id,
    method: 'POST',
    path: `/v1/products/{id}/versions/{version}/${verb}`,
    tag: 'catalog',
    summary,
    may: adminOnly,
    environment: 'none',
    params: VersionPath,
    responses: { 200: { description: 'The version', schema: ProductVersionRecord } },
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE', 'CONFLICT_DUPLICATE'],
    addition: true,
  });
}

export const publishProductVersion = transition(
  'publishProductVersion',
  'publish',
  'Publish a draft version and make it the current one',
);
export const deprecateProductVersion = transition(
  'deprecateProductVersion',
  'deprecate',
  'Deprecate a published version; its jobs carry Deprecation and Sunset headers',
);
export const retireProductVersion = transition(
  'retireProductVersion',
  'retire',
  'Retire a version; new jobs of it answer 410',
);
