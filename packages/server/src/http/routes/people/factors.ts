import { operations } from '@changgu/contract/schemas';
import { addPasskey } from '../../../principals/passkeys.ts';
import {
  addFactor,
  beginOwnPasskey,
  confirmFactor,
  type FactorDependencies,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  requireFactor,
} from '../../../principals/second-factor.ts';
import type { HttpApp } from '../../app.ts';
import { route } from '../../route.ts';

const { factors, passkeys } = operations;

/** Second factors of console users, and an organization's requirement of one. */
export function factorRoutes(app: HttpApp, dependencies: FactorDependencies): void {
  const { store } = dependencies;
  route(app, factors.listFactors, async ({ principal }) => ({
    status: 200,
    body: await listFactors(store, principal),
  }));
  route(app, factors.addFactor, async ({ principal, body, origin }) => ({
    status: 201,
    body: await addFactor(dependencies, principal, body, origin),
  }));
  route(app, factors.renewRecoveryCodes, async ({ principal, body, origin }) => ({
    status: 200,
    body: await renewRecoveryCodes(dependencies, principal, body, origin),
  }));
  route(app, factors.confirmFactor, async ({ principal, params, body, origin }) => {
    const confirmation = { id: params.factor_id, code: body.code };
    return {
      status: 200,
      body: await confirmFactor(dependencies, principal, confirmation, origin),
    };
  });
  route(app, factors.removeFactor, async ({ principal, params, body, origin }) => ({
    status: 200,
    body: await removeFactor(dependencies, principal, params.factor_id, body, origin),
  }));
  route(app, factors.renameFactor, async ({ principal, params, body }) => ({
    status: 200,
    body: await renameFactor(store, principal, params.factor_id, body.label),
  }));
  route(app, passkeys.beginPasskey, async ({ principal, body, origin }) => ({
    status: 200,
    body: await beginOwnPasskey(dependencies, principal, body, origin),
  }));
  route(app, passkeys.addPasskey, async ({ principal, body, origin }) => ({
    status: 201,
    body: await addPasskey(dependencies, principal, body, origin),
  }));
  route(app, factors.setOrganizationSecurity, async ({ principal, body, origin }) => {
    const required = body.second_factor_required;
    return { status: 200, body: await requireFactor(store, principal, required, origin) };
  });
}
