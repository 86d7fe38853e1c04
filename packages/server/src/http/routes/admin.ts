import { operations } from '@changgu/contract/schemas';
import { readAudit } from '../../audit/read-audit.ts';
import type { CoreDependencies } from '../../core.ts';
import {
  addMember,
  type ConfiguredPlans,
  setSubscription,
} from '../../organizations/administration.ts';
import { decideEnvAccess, listEnvAccessForAdmin } from '../../organizations/env-access-requests.ts';
import {
  decideApplication,
  listApplicationsForAdmin,
} from '../../organizations/integrator-applications.ts';
import { listOrganizations } from '../../organizations/list-organizations.ts';
import { DEFAULT_OVERLAP_HOURS } from '../../principals/app-credentials.ts';
import {
  issueLegacyApiKey,
  listLegacyApiKeys,
  revokeLegacyApiKey,
  rotateLegacyApiKey,
} from '../../principals/legacy-keys.ts';
import { assertKnown } from '../../requests/chosen-organization.ts';
import type { EnvAccessSettings } from '../../rules/organizations/env-access.ts';
import { actorOf } from '../../rules/principals/actor.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

export interface AdminDependencies extends Pick<CoreDependencies, 'store'> {
  readonly plans: ConfiguredPlans;
  readonly envAccess: EnvAccessSettings;
}

const { admin } = operations;

/** Operators' requests; each one writes a row to the audit log. */
export function adminRoutes(app: HttpApp, dependencies: AdminDependencies): void {
  decisionRoutes(app, dependencies);
  organizationRoutes(app, dependencies);
  legacyKeyRoutes(app, dependencies);
  route(app, admin.listAudit, async ({ principal, query }) => {
    const { store } = dependencies;
    const { organization_id: id } = query;
    if (id !== undefined) await assertKnown(store, principal, id);
    return { status: 200, body: await readAudit(store, query) };
  });
}

function decisionRoutes(app: HttpApp, { store, envAccess: settings }: AdminDependencies): void {
  const envAccess = { store, settings };
  route(app, admin.listEnvAccessForAdmin, async ({ query }) => ({
    status: 200,
    body: await listEnvAccessForAdmin(envAccess, query),
  }));
  route(app, admin.decideEnvAccess, async ({ principal, origin, params, body }) => ({
    status: 200,
    body: await decideEnvAccess(envAccess, params.request_id, body, actorOf(principal, origin)),
  }));
  route(app, admin.listIntegratorApplicationsForAdmin, async ({ query }) => ({
    status: 200,
    body: await listApplicationsForAdmin(store, query),
  }));
  route(app, admin.decideIntegratorApplication, async ({ principal, origin, params, body }) => {
    const actor = actorOf(principal, origin);
    return {
      status: 200,
      body: await decideApplication(store, params.application_id, body, actor),
    };
  });
}

function organizationRoutes(app: HttpApp, dependencies: AdminDependencies): void {
  route(app, admin.listOrganizations, async ({ query }) => ({
    status: 200,
    body: await listOrganizations(dependencies, query),
  }));
  route(app, admin.setSubscription, async ({ principal, origin, params, body }) => {
    const actor = actorOf(principal, origin);
    return {
      status: 200,
      body: await setSubscription(dependencies, params.organization_id, body, actor),
    };
  });
  route(app, admin.addMember, async ({ principal, origin, params, body }) => {
    const actor = actorOf(principal, origin);
    return {
      status: 200,
      body: await addMember(dependencies.store, params.organization_id, body, actor),
    };
  });
}

function legacyKeyRoutes(app: HttpApp, { store }: AdminDependencies): void {
  route(app, admin.issueLegacyApiKey, async ({ principal, origin, body }) => ({
    status: 201,
    body: await issueLegacyApiKey(store, body, actorOf(principal, origin)),
  }));
  route(app, admin.listLegacyApiKeys, async ({ principal, query: { organization_id: id } }) => {
    await assertKnown(store, principal, id);
    return { status: 200, body: await listLegacyApiKeys(store, id) };
  });
  route(app, admin.rotateLegacyApiKey, async ({ principal, origin, params, body }) => {
    const actor = actorOf(principal, origin);
    const { overlap_hours: hours = DEFAULT_OVERLAP_HOURS } = body ?? {};
    return { status: 200, body: await rotateLegacyApiKey(store, params.key_id, hours, actor) };
  });
  route(app, admin.revokeLegacyApiKey, async ({ principal, origin, params }) => ({
    status: 200,
    body: await revokeLegacyApiKey(store, params.key_id, actorOf(principal, origin)),
  }));
}
