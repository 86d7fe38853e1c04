import { nearest } from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import { laneScope, purposeOf } from '../rules/links/link-purpose.ts';
import type { Plans } from '../rules/quota/plans.ts';
import type { PinnedProduct, SubmissionRules } from '../rules/submission/submission.ts';
import { type ShapeCheck, shapeCheck } from '../validation/shape-check.ts';

type Params = Readonly<Record<string, unknown>>;

export interface SubmissionRuleDependencies {
  readonly actions: ReadonlyMap<string, CatalogueAction>;
  readonly addresses: Pick<InstitutionAddresses, 'has' | 'origins'>;
  /** The version that a new job of an action gets. */
  readonly product: (action: CatalogueAction) => Promise<PinnedProduct>;
  readonly plans: Plans;
  readonly queueLimitSeconds: number;
  readonly storageLimitBytes: number;
}

/** What a submission needs from the catalog and the configuration. */
export function createSubmissionRules(dependencies: SubmissionRuleDependencies): SubmissionRules {
  const checks = new Map<string, ShapeCheck>();
  const providers = new Set([...dependencies.actions.values()].map(({ provider }) => provider));

  function checkOf(action: CatalogueAction): ShapeCheck {
    const known = checks.get(action.id) ?? shapeCheck(action.params, ['body', 'params']);
    checks.set(action.id, known);
    return known;
  }

  return {
    findAction: (actionId) => dependencies.actions.get(actionId),
    nearestAction: (actionId) => nearest(actionId, [...dependencies.actions.keys()]),
    hasProvider: (provider) => providers.has(provider),
    checkParams: (action, params) =>
      checkOf(action)(action.selectsAccount ? withoutNullAccount(params) : params),
    product: dependencies.product,
    isConfigured: (provider, envScope) => dependencies.addresses.has(envScope, provider),
    // Without an address no link is wrong; what is missing is the address, which another check says.
    linkPurpose: (provider, envScope) =>
      dependencies.addresses.has(envScope, provider)
        ? purposeOf(envScope, dependencies.addresses.origins(provider))
        : null,
    laneScope: (provider, envScope) =>
      laneScope(envScope, dependencies.addresses.origins(provider)),
    plans: dependencies.plans,
    queueLimitSeconds: dependencies.queueLimitSeconds,
    storageLimitBytes: dependencies.storageLimitBytes,
  };
}

/** Clients with typed models send null for an account that they do not name, as they do for a link. */
function withoutNullAccount({ bank_account_credential_id: id, ...others }: Params): Params {
  return id === undefined || id === null ? others : { ...others, bank_account_credential_id: id };
}
