import type { LinkPurpose } from '@changgu/contract/schemas';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import { purposeOf } from '../rules/links/link-purpose.ts';
import { reachesProvider } from '../rules/principals/allowed-action.ts';
import type { Principal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';

/** Where institutions are, as far as reach depends on it. */
export type LinkAddresses = Pick<InstitutionAddresses, 'origins'>;

interface LinkFacts {
  readonly provider: string;
  readonly purpose: LinkPurpose | null;
}

/** Which links a caller sees: a key only those that its actions and its environments could use. */
export interface LinkReach {
  sees(link: LinkFacts): boolean;
  /** @throws ServiceError POLICY_TOOL_NOT_ALLOWED when the key changes nothing, or nothing there */
  assertMayChange(provider: string | null): void;
}

const EVERYTHING: LinkReach = {
  sees: () => true,
  assertMayChange: () => {},
};

export function linkReach(principal: Principal, addresses: LinkAddresses): LinkReach {
  if (principal.kind !== 'client') return EVERYTHING;
  const { allowedActions, allowedEnvScopes, integrationProfile, readOnly } = principal;

  /**
   * Sandbox contacts no institution, so a key for it alone has no business with a customer's real login.
   * A desktop agent links for others to use, whatever it may submit itself.
   */
  function reachesPurpose({ provider, purpose }: LinkFacts): boolean {
    if (purpose !== 'real' || integrationProfile === 'desktop_agent') return true;
    const origins = addresses.origins(provider);
    return allowedEnvScopes.some((scope) => purposeOf(scope, origins) === 'real');
  }

  return {
    sees: (link) => reachesProvider(allowedActions, link.provider) && reachesPurpose(link),
    assertMayChange(provider) {
      const reaches = provider === null || reachesProvider(allowedActions, provider);
      if (readOnly || !reaches) throw new ServiceError('POLICY_TOOL_NOT_ALLOWED');
    },
  };
}

/**
 * Whether the caller may change, or only read, a link that it names by its id.
 * @throws ServiceError ACCOUNT_LINK_NOT_FOUND, also for a link out of its reach; POLICY_TOOL_NOT_ALLOWED
 */
export async function assertInReach(
  {
    store,
    addresses,
  }: {
    readonly store: Pick<Store, 'accountLinks'>;
    readonly addresses: LinkAddresses;
  },
  principal: Principal,
  accountLinkId: string,
  intent: 'read' | 'change',
): Promise<void> {
  if (principal.kind !== 'client') return;
  const reach = linkReach(principal, addresses);
  const { organizationId } = principal;
  const link = await store.accountLinks.find({ id: accountLinkId, organizationId });
  if (!reach.sees(link)) throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
  if (intent === 'change') reach.assertMayChange(null);
}
