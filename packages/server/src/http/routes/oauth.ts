import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import type { Interactions } from '../../oauth/interactions.ts';
import { listOAuthGrants, revokeOAuthGrant } from '../../principals/oauth-grants.ts';
import { hintedOrganization, knownOrganization } from '../../requests/chosen-organization.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

interface OAuthRouteDependencies extends Pick<CoreDependencies, 'store' | 'clock'> {
  /** Null when OAuth is off and there are no requests to approve. */
  readonly interactions: Interactions | null;
}

const { oauth } = operations;

/** Approving OAuth clients, and revoking approvals. */
export function oauthRoutes(
  app: HttpApp,
  { store, clock, interactions }: OAuthRouteDependencies,
): void {
  route(app, oauth.approveOAuthInteraction, async (request) => {
    const { principal, origin, params, headers, body } = request;
    const name = { uid: params.uid, cookies: headers.cookie };
    const decided = required(interactions).approve(name, { principal, origin }, body);
    return { status: 200, body: { redirect_to: await decided } };
  });

  route(app, oauth.denyOAuthInteraction, async (request) => {
    const { principal, origin, params, headers } = request;
    const name = { uid: params.uid, cookies: headers.cookie };
    const decided = required(interactions).deny(name, { principal, origin });
    return { status: 200, body: { redirect_to: await decided } };
  });

  route(app, oauth.listOAuthGrants, async ({ principal, headers }) => {
    const organizationId = await knownOrganization(store, principal, headers);
    return { status: 200, body: await listOAuthGrants(store, organizationId, clock.realNow()) };
  });

  route(app, oauth.revokeOAuthGrant, async ({ principal, headers, origin, params }) => {
    const organizationId = hintedOrganization(principal, headers);
    const who = { principal, organizationId, origin };
    return {
      status: 200,
      body: await revokeOAuthGrant(store, who, params.grant_id, clock.realNow()),
    };
  });
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
function required(interactions: Interactions | null): Interactions {
  if (interactions === null) throw new ServiceError('RESOURCE_NOT_FOUND');
  return interactions;
}
