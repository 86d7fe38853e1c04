import type { EnvScope } from '@changgu/contract';
import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import type { InstitutionRecord } from '@changgu/contract/schemas';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import type { Language } from '../requests/language.ts';
import { healthOf, type InstitutionHealth } from '../rules/endings/institution-health.ts';
import { kstTimeOrNull } from '../rules/kst.ts';
import type { Store } from '../store/database.ts';

export interface InstitutionDependencies {
  readonly store: Pick<Store, 'breakers' | 'clock'>;
  readonly institutions: readonly CatalogueInstitution[];
  readonly addresses: Pick<InstitutionAddresses, 'has'>;
}

/** Every institution with its actions, and how it fares in one environment. */
export async function listInstitutions(
  { store, institutions, addresses }: InstitutionDependencies,
  envScope: EnvScope,
  language: Language,
): Promise<InstitutionRecord[]> {
  const [troubles, now] = await Promise.all([store.breakers.list(), store.clock.now()]);
  return institutions.map((institution) => {
    const { provider } = institution;
    const trouble = troubles.find(
      (each) => each.provider === provider && each.envScope === envScope,
    );
    return {
      ...factsOf(institution, language),
      ...healthFields(healthOf(trouble ?? null, now)),
      configured: addresses.has(envScope, provider),
    };
  });
}

function factsOf(
  { provider, title, kind, linkTypes, actions }: CatalogueInstitution,
  language: Language,
) {
  return {
    provider,
    name: title[language],
    kind,
    link_types: [...linkTypes],
    actions: actions.map((action) => ({
      action: action.id,
      name: action.title[language],
      usage_tokens: action.usageTokens,
      irreversible: action.irreversible,
    })),
  };
}

function healthFields({ state, maintenance, retryAt }: InstitutionHealth) {
  return { state, maintenance, retry_at: kstTimeOrNull(retryAt) };
}
