import type { VersionStatus } from '@changgu/contract/schemas';
import type { Generated } from 'kysely';

export interface CatalogTables {
  products: {
    id: Generated<number>;
    code: string;
    name: string;
    description: string | null;
    category: string | null;
    current_version_id: number | null;
    created_at: number;
    updated_at: number;
  };
  product_versions: {
    id: Generated<number>;
    product_id: number;
    /** Unique within its product. */
    version: string;
    version_status: VersionStatus;
    provider: string;
    action: string;
    params_schema_ref: string;
    result_schema_ref: string;
    /** JSON, or null. */
    pricing_hint: string | null;
    rate_limit_hint: string | null;
    metadata: string | null;
    published_at: number | null;
    deprecated_at: number | null;
    retired_at: number | null;
    created_at: number;
  };
  /** The first product that published a version of an action. */
  product_actions: {
    action: string;
    product_id: number;
  };
}
