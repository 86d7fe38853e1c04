import type { CatalogueAction } from '@changgu/contract/catalogue';
import type {
  CurrentVersionSummary,
  InitialVersionEcho,
  ProductRecord,
  ProductVersionRecord,
} from '@changgu/contract/schemas';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Product, Version } from '../store/catalog/products.ts';

/** A product as the API shows it; properties of its action come from the catalog. */
export function productRecord(
  product: Product,
  findAction: (id: string) => CatalogueAction | undefined,
): ProductRecord {
  const { shown, current } = product;
  const action = shown ? findAction(shown.action) : undefined;
  return {
    id: product.id,
    code: product.code,
    name: product.name,
    description: product.description,
    provider: shown?.provider ?? null,
    action: shown?.action ?? null,
    category: product.category,
    usage_tokens: action?.usageTokens ?? null,
    irreversible: action?.irreversible ?? null,
    mcp_public: action?.publicTool ?? null,
    inputs: action ? inputsOf(action) : [],
    current_version: current && versionSummary(current),
    created_at: kstTime(product.created_at),
    updated_at: kstTime(product.updated_at),
  };
}

export function versionSummary(version: Version): CurrentVersionSummary {
  const { id, version_status, provider, action } = version;
  return { id, version: version.version, version_status, provider, action };
}

export function versionEcho(version: Version): InitialVersionEcho {
  return { ...versionSummary(version), published_at: kstTimeOrNull(version.published_at) };
}

export function versionRecord(version: Version): ProductVersionRecord {
  return {
    ...versionSummary(version),
    params_schema_ref: version.params_schema_ref,
    result_schema_ref: version.result_schema_ref,
    pricing_hint: parse(version.pricing_hint),
    rate_limit_hint: parse(version.rate_limit_hint),
    metadata: parse(version.metadata),
    published_at: kstTimeOrNull(version.published_at),
    deprecated_at: kstTimeOrNull(version.deprecated_at),
    retired_at: kstTimeOrNull(version.retired_at),
    created_at: kstTime(version.created_at),
  };
}

function parse(json: string | null): Record<string, unknown> | null {
  // The service wrote this itself, from a value that its schema had proved to be an object.
  return json === null ? null : (JSON.parse(json) as Record<string, unknown>);
}

function inputsOf({ params }: CatalogueAction): ProductRecord['inputs'] {
  const required = new Set(params.required ?? []);
  return Object.entries(params.properties ?? {}).map(([key, schema]) => ({
    key,
    type: typeof schema.type === 'string' ? schema.type : 'string',
    required: required.has(key),
  }));
}
