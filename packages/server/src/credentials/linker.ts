import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { LinkType } from '@changgu/contract/schemas';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import type { ClientPrincipal, ConsolePrincipal } from '../rules/principals/principal.ts';
import { invalidValue } from '../rules/service-error.ts';
import type { LinkReach } from './link-reach.ts';

/** Who links, and in which request. */
export interface Linker {
  readonly principal: ConsolePrincipal | ClientPrincipal;
  readonly origin: RequestOrigin;
}

/** A linker whose request may take a while. */
export interface WaitingLinker extends Linker {
  /** Which institutions and purposes the linker may register for. */
  readonly reach: LinkReach;
  /** Aborted when the answer would reach no one. */
  readonly gone: AbortSignal;
}

/** What linking needs to know about an institution, from its catalog entry. */
export interface InstitutionFacts {
  readonly provider: string;
  readonly kind: 'bank' | 'tax' | 'employment' | 'social_insurance' | 'other';
  readonly linkTypes: readonly LinkType[];
  readonly consentFeatures: readonly string[];
  readonly actions: readonly Pick<CatalogueAction, 'params'>[];
}

/** @throws ServiceError 400 for a provider that is not registered */
export function institutionOf(
  institutions: readonly InstitutionFacts[],
  provider: string,
  loc: readonly (string | number)[] = ['body', 'provider'],
): InstitutionFacts {
  const found = institutions.find((each) => each.provider === provider);
  if (found !== undefined) return found;
  throw invalidValue([{ loc, msg: 'Unknown provider', type: 'value_error' }]);
}

/**
 * Where a certificate is registered besides `provider`: every other institution that takes
 * certificates, less the excluded.
 * @throws ServiceError 400 for an unknown name among the excluded
 */
export function siblingProviders(
  institutions: readonly InstitutionFacts[],
  provider: string,
  excluded: readonly string[],
): string[] {
  excluded.forEach((name, index) => {
    institutionOf(institutions, name, ['body', 'exclude_providers', index]);
  });
  return institutions
    .filter(({ linkTypes }) => linkTypes.includes('certificate'))
    .map((each) => each.provider)
    .filter((name) => name !== provider && !excluded.includes(name));
}
