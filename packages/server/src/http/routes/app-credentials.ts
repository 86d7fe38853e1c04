import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import {
  DEFAULT_OVERLAP_HOURS,
  issueAppCredential,
  listAppCredentials,
  revokeAppCredential,
  rotateAppCredential,
} from '../../principals/app-credentials.ts';
import {
  chosenOrganization,
  hintedOrganization,
  knownOrganization,
} from '../../requests/chosen-organization.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

const { appCredentials } = operations;

/** The keys of programs. */
export function appCredentialRoutes(
  app: HttpApp,
  { store }: Pick<CoreDependencies, 'store'>,
): void {
  route(app, appCredentials.issueAppCredential, async ({ principal, headers, body, origin }) => {
    const organizationId = chosenOrganization(principal, headers);
    const issued = await issueAppCredential(store, { principal, organizationId, origin }, body);
    return { status: 201, body: issued };
  });

  route(app, appCredentials.listAppCredentials, async ({ principal, headers }) => {
    const organizationId = await knownOrganization(store, principal, headers);
    return { status: 200, body: await listAppCredentials(store, organizationId) };
  });

  route(app, appCredentials.rotateAppCredential, async (request) => {
    const { principal, headers, origin, params, body } = request;
    const organizationId = hintedOrganization(principal, headers);
    const manager = { principal, organizationId, origin };
    const hours = body?.overlap_hours ?? DEFAULT_OVERLAP_HOURS;
    return {
      status: 200,
      body: await rotateAppCredential(store, manager, params.client_id, hours),
    };
  });

  route(app, appCredentials.revokeAppCredential, async (request) => {
    const { principal, headers, origin, params, body } = request;
    const organizationId = hintedOrganization(principal, headers);
    const manager = { principal, organizationId, origin };
    const reason = body?.revoked_reason ?? null;
    return {
      status: 200,
      body: await revokeAppCredential(store, manager, params.client_id, reason),
    };
  });
}
