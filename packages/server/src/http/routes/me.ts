import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import {
  cancelDeletion,
  listDeletions,
  requestDeletion,
} from '../../organizations/deletion-requests.ts';
import { listEnvAccess, requestEnvAccess } from '../../organizations/env-access-requests.ts';
import {
  listApplications,
  mintHandoff,
  submitApplication,
} from '../../organizations/integrator-applications.ts';
import { changePassword } from '../../principals/own-password.ts';
import type { PasswordCheck } from '../../principals/password-check.ts';
import type { EnvAccessSettings } from '../../rules/organizations/env-access.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';
import type { SessionCookies } from '../session-cookies.ts';

export interface MeDependencies extends Pick<CoreDependencies, 'store' | 'tokens'> {
  readonly envAccess: EnvAccessSettings;
  readonly cookies: SessionCookies;
  readonly passwordCheck: PasswordCheck;
}

const { account } = operations;

/** What console users can do with their own account and organization. */
export function meRoutes(app: HttpApp, dependencies: MeDependencies): void {
  const { store } = dependencies;
  const envAccess = { store, settings: dependencies.envAccess };

  route(app, account.changePassword, async (request) => {
    const { principal, origin } = request;
    const changed = await changePassword(dependencies, principal, request.body, origin);
    const { body, secret } = changed;
    const { cookies } = dependencies;
    const headers = secret === null ? {} : { 'set-cookie': cookies.set(request, secret) };
    return { status: 200, body, headers };
  });

  route(app, account.requestDeletion, async ({ principal, body, origin }) => ({
    status: 201,
    body: await requestDeletion(store, principal, body, origin),
  }));
  route(app, account.listDeletions, async ({ principal }) => ({
    status: 200,
    body: await listDeletions(store, principal),
  }));
  route(app, account.cancelDeletion, async ({ principal, params, body, origin }) => ({
    status: 200,
    body: await cancelDeletion(store, principal, params.request_uuid, body, origin),
  }));

  route(app, account.requestEnvAccess, async ({ principal, body, origin }) => ({
    status: 201,
    body: await requestEnvAccess(envAccess, principal, body, origin),
  }));
  route(app, account.listEnvAccess, async ({ principal }) => ({
    status: 200,
    body: await listEnvAccess(envAccess, principal.organizationId),
  }));

  route(app, account.applyAsIntegrator, async ({ principal, body, origin }) => ({
    status: 201,
    body: await submitApplication(store, principal, body, origin),
  }));
  route(app, account.reissueIntegrator, async ({ principal, body, origin }) => ({
    status: 201,
    body: await submitApplication(store, principal, body, origin),
  }));
  route(app, account.listIntegratorApplications, async ({ principal }) => ({
    status: 200,
    body: await listApplications(store, principal.organizationId),
  }));
  route(app, account.mintHandoff, async ({ principal, params, origin }) => ({
    status: 201,
    body: await mintHandoff(store, principal, params.application_id, origin),
  }));
}
