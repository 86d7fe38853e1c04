import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import { hintedOrganization } from '../../requests/chosen-organization.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

/** An operator who names no organization gets a ring of their own; nothing is ever encrypted with it. */
const NO_ORGANIZATION = 0;

/** All that decides whose ring it is: a cache that outlasts a login holds the ring of the last caller. */
const KEPT_FOR_ITS_CALLER = {
  'cache-control': 'max-age=300',
  vary: 'Authorization, Cookie, X-Api-Key, X-Env-Scope, X-Organization-Id',
};

/** The public keys for an organization's encrypted values, one ring per environment. */
export function cryptoKeyRoutes(
  app: HttpApp,
  { store, encryptionKeys }: Pick<CoreDependencies, 'store' | 'encryptionKeys'>,
): void {
  route(app, operations.cryptoKey.readEncryptionKeys, async ({ principal, envScope, headers }) => {
    const organizationId = hintedOrganization(principal, headers) ?? NO_ORGANIZATION;
    // Reading makes the first key of a ring, and only operators can name an organization that is not there.
    if (principal.kind === 'admin_user' && organizationId !== NO_ORGANIZATION) {
      await store.organizations.require(organizationId);
    }
    const { keys } = await encryptionKeys.of(organizationId, envScope).jwks();
    return {
      status: 200,
      body: { keys: [...keys] },
      headers: KEPT_FOR_ITS_CALLER,
    };
  });
}
