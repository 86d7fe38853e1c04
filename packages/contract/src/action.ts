import type { JsonObjectSchema } from './json-schema.ts';

export interface Text {
  readonly ko: string;
  readonly en: string;
}

/** What is known about an institution's action besides its two schemas. */
export interface ActionFacts {
  /** Full id, begins with the provider: `bank_b.accounts.transaction_history.search`. At most 64 characters, no `__`. */
  readonly id: string;
  readonly provider: string;
  readonly title: Text;
  readonly description: Text;
  /**
   * Usage tokens charged at acceptance.
   * @see docs/specification/quota.md#d37
   */
  readonly usageTokens: number;
  /**
   * Writes at the institution (issue, file, apply): never retryable, never run twice.
   * @see docs/specification/job-life-cycle.md#d03
   */
  readonly irreversible: boolean;
  /** Has `bank_account_credential_id` among its params and can be used with all-accounts. */
  readonly selectsAccount: boolean;
  readonly link: 'required' | 'optional';
  /** Needs a login session created by `loginAction` first. */
  readonly needsSession: boolean;
  /** The login to call first when there is no session; null when none is needed. */
  readonly loginAction: string | null;
  /**
   * Time limit of a run, in seconds.
   * @see docs/specification/job-life-cycle.md#d04
   */
  readonly timeoutSeconds: number;
  /**
   * Allowed names in `encrypted_fields`, with their meanings.
   * @see docs/specification/security.md#d61
   */
  readonly encryptedFields: Readonly<Record<string, Text>>;
  /** Offered on POST /mcp. */
  readonly publicTool: boolean;
  /**
   * Short name in the MCP bridge: `[a-z0-9_]`, at most 40 characters, single underscores.
   * @see docs/specification/agents.md#d135
   */
  readonly toolName: string;
  /**
   * The file that it produces, if any. `task` is the Korean name in the artifact's name.
   * @see docs/specification/results-and-artifacts.md#d71
   */
  readonly file: { readonly format: 'xlsx' | 'pdf' | 'any'; readonly task: string } | null;
  /**
   * Its place in the synchronous tax-portal path family.
   * @see docs/specification/institutions.md#d83
   */
  readonly taxPortal: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly screenId: string | null;
    readonly certificateCode: string | null;
    /** Answers with the result in `data`; the endpoints of the session answer with the result itself. */
    readonly envelope: boolean;
  } | null;
  /**
   * Who may use it, where the institution restricts it.
   * @see docs/specification/institutions.md#d84
   */
  readonly ownerKind: 'business' | 'individual' | null;
}

/** What is known about an institution besides its actions. */
export interface InstitutionFacts {
  /** `^[a-z][a-z0-9_]{0,63}$` */
  readonly provider: string;
  readonly title: Text;
  readonly kind: 'bank' | 'tax' | 'employment' | 'social_insurance' | 'other';
  /**
   * The ways to link it.
   * @see docs/specification/links-and-credentials.md#d99
   */
  readonly linkTypes: readonly ('certificate' | 'id_password' | 'consent')[];
  /**
   * Feature bundles of its consent flow; empty when it has none.
   * @see docs/specification/links-and-credentials.md#d103
   */
  readonly consentFeatures: readonly string[];
}

/** An action as in the catalog: everything, with its schemas as JSON. */
export interface CatalogueAction extends ActionFacts {
  readonly params: JsonObjectSchema;
  readonly result: JsonObjectSchema;
}

export interface CatalogueInstitution extends InstitutionFacts {
  readonly actions: readonly CatalogueAction[];
}
