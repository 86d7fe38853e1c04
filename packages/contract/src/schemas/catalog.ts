import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { nameOf } from './person-fields.ts';
import { JsonObject, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });

/** States of a product version. */
export const VERSION_STATUSES = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'RETIRED'] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

const VersionId = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,20}$',
  minLength: 1,
  maxLength: 20,
  description: 'Unique within its product, e.g. `v1`',
});
const Provider = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', maxLength: 64 });
const Action = Type.String({ pattern: '^[a-z][a-z0-9_.]{0,63}$', maxLength: 64 });
const SchemaRef = Type.String({
  pattern: '^[a-z][a-z0-9_.]*\\.v[0-9]+$',
  maxLength: 120,
  description: '`<action id>.vN`, of the action of this version',
});

const hints = {
  pricing_hint: Type.Optional(JsonObject),
  rate_limit_hint: Type.Optional(JsonObject),
  metadata: Type.Optional(JsonObject),
};

/** One version of a product as an administrator writes it. */
export const ProductVersionRequest = Type.Object(
  {
    version: VersionId,
    provider: Provider,
    action: Action,
    params_schema_ref: Type.Optional(SchemaRef),
    result_schema_ref: Type.Optional(SchemaRef),
    ...hints,
    publish_immediately: Type.Optional(Type.Boolean({ default: false })),
  },
  { $id: 'ProductVersionRequest', ...strict },
);
export type ProductVersionRequest = Static<typeof ProductVersionRequest>;

const versionSummary = {
  id: Id,
  version: Type.String(),
  version_status: oneOf(VERSION_STATUSES),
  provider: Type.String(),
  action: Type.String(),
};

export const CurrentVersionSummary = Type.Object(versionSummary, {
  $id: 'CurrentVersionSummary',
  ...strict,
});
export type CurrentVersionSummary = Static<typeof CurrentVersionSummary>;

export const InitialVersionEcho = Type.Object(
  { ...versionSummary, published_at: nullable(KstTime) },
  { $id: 'InitialVersionEcho', ...strict },
);
export type InitialVersionEcho = Static<typeof InitialVersionEcho>;

export const ProductVersionRecord = Type.Object(
  {
    ...versionSummary,
    params_schema_ref: Type.String(),
    result_schema_ref: Type.String(),
    pricing_hint: nullable(JsonObject),
    rate_limit_hint: nullable(JsonObject),
    metadata: nullable(JsonObject),
    published_at: nullable(KstTime),
    deprecated_at: nullable(KstTime),
    retired_at: nullable(KstTime),
    created_at: KstTime,
  },
  { $id: 'ProductVersionRecord', ...strict },
);
export type ProductVersionRecord = Static<typeof ProductVersionRecord>;

export const ProductVersionListResponse = Type.Object(
  { items: Type.Array(ProductVersionRecord) },
  { $id: 'ProductVersionListResponse', ...strict },
);
export type ProductVersionListResponse = Static<typeof ProductVersionListResponse>;

/** Body of POST /v1/products. */
export const ProductCreateRequest = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' }),
    name: nameOf(200),
    description: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
    category: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    initial_version: Type.Optional(nullable(ProductVersionRequest)),
  },
  { $id: 'ProductCreateRequest', ...strict },
);
export type ProductCreateRequest = Static<typeof ProductCreateRequest>;

const product = {
  id: Id,
  code: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  provider: nullable(Type.String()),
  action: nullable(Type.String()),
  category: nullable(Type.String()),
  usage_tokens: nullable(Type.Integer({ minimum: 0 })),
  irreversible: nullable(Type.Boolean()),
  mcp_public: nullable(Type.Boolean()),
  inputs: Type.Array(
    Type.Object({ key: Type.String(), type: Type.String(), required: Type.Boolean() }, strict),
  ),
  current_version: nullable(CurrentVersionSummary),
  created_at: KstTime,
  updated_at: KstTime,
};

export const ProductRecord = Type.Object(product, { $id: 'ProductRecord', ...strict });
export type ProductRecord = Static<typeof ProductRecord>;

export const ProductCreateResponse = Type.Object(
  { ...product, initial_version: nullable(InitialVersionEcho) },
  { $id: 'ProductCreateResponse', ...strict },
);
export type ProductCreateResponse = Static<typeof ProductCreateResponse>;

export const ProductListResponse = Type.Object(
  { items: Type.Array(ProductRecord), next_cursor: nullable(Type.String()) },
  { $id: 'ProductListResponse', ...strict },
);
export type ProductListResponse = Static<typeof ProductListResponse>;
