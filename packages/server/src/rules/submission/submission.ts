import type { EnvScope, OAuthScope } from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { LinkPurpose } from '@changgu/contract/schemas';
import type { Origin } from '../principals/actor.ts';
import type { Plans } from '../quota/plans.ts';
import type { FieldViolation } from '../service-error.ts';

/** The submitter, and the rights of its key. */
export interface Submitter {
  /** `client:cli_…`, as `principalKey` names it. */
  readonly name: string;
  readonly organizationId: number;
  readonly allowedEnvScopes: readonly EnvScope[];
  readonly readOnly: boolean;
  /** Patterns of action ids; null = every action. */
  readonly allowedActions: readonly string[] | null;
  /** The request in which it submits. */
  readonly origin?: Origin;
  /** The scopes of an OAuth token; null for a key. */
  readonly scopes: readonly OAuthScope[] | null;
}

/** A submission that passed authentication, environment, shape and key (steps 1 to 5 of D19). */
export interface SubmissionRequest {
  readonly submitter: Submitter;
  readonly envScope: EnvScope;
  readonly idempotencyKey: string;
  /** An older job of the same key, which this may follow instead of replaying it: only for derived keys. */
  readonly followsJobId?: string | undefined;
  readonly provider: string;
  readonly action: string;
  readonly accountLinkId: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly encryptedFields: Readonly<Record<string, string>>;
  /** The header X-Sandbox-Outcome; ignored outside sandbox. */
  readonly sandboxOutcome: string | null;
}

/** The product version that a job keeps from its acceptance on. */
export interface PinnedProduct {
  readonly versionId: number | null;
  /** `<action>.vN` */
  readonly resultSchema: string;
  /** No version is PUBLISHED or DEPRECATED: 410. */
  readonly retired: boolean;
}

/** What a submission needs to know from catalog, configuration and products. */
export interface SubmissionRules {
  /** Undefined for an unknown id. */
  findAction(actionId: string): CatalogueAction | undefined;
  /** The id that was probably meant. */
  nearestAction(actionId: string): string | null;
  /** Whether there is an institution of this name. */
  hasProvider(provider: string): boolean;
  /** Violations of the action's params schema, located from `body`. */
  checkParams(action: CatalogueAction, params: Readonly<Record<string, unknown>>): FieldViolation[];
  product(action: CatalogueAction): Promise<PinnedProduct>;
  /** Whether this institution has an address in this environment; always true in sandbox. */
  isConfigured(provider: string, envScope: EnvScope): boolean;
  /** The purposes of links that the environment uses (D160); null for any. */
  linkPurpose(provider: string, envScope: EnvScope): LinkPurpose | null;
  /** The environment whose lane a job joins: two environments that share a site share it. */
  laneScope(provider: string, envScope: EnvScope): EnvScope;
  readonly plans: Plans;
  /** How long a job may be queued, in seconds. */
  readonly queueLimitSeconds: number;
  /** What an organization's jobs and files may occupy. */
  readonly storageLimitBytes: number;
}
