import { isJsonObject, type JsonFields } from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import { type Operation, operations } from '@changgu/contract/schemas';
import { taxPortalDirectory } from '../../catalog/tax-portal-directory.ts';
import type { RunAndWaitDependencies } from '../../jobs/run-and-wait.ts';
import { runTaxPortal } from '../../jobs/run-tax-portal.ts';
import { submitterOfKey } from '../../requests/submitter.ts';
import { kstTime } from '../../rules/kst.ts';
import { type FieldViolation, ServiceError } from '../../rules/service-error.ts';
import type { Store } from '../../store/database.ts';
import type { HttpApp } from '../app.ts';
import type { JobDeprecation } from '../deprecation.ts';
import { route } from '../route.ts';
import { sandboxOutcomeOf } from '../sandbox-outcome.ts';

export interface TaxPortalDependencies extends RunAndWaitDependencies {
  readonly store: Pick<Store, 'clock' | 'jobs'>;
  /** Actions of the tax portal, by their path in the family. */
  readonly actions: readonly CatalogueAction[];
  readonly deprecationOf: JobDeprecation;
}

const { taxPortalHealth, taxPortalInfo, taxPortalActions, TAX_PORTAL_PREFIX } =
  operations.taxPortal;

/** The synchronous tax-portal endpoints: each call runs an action's job and waits for it. */
export function taxPortalRoutes(app: HttpApp, dependencies: TaxPortalDependencies): void {
  const { store, actions } = dependencies;

  route(app, taxPortalHealth, async () => ({
    status: 200,
    body: { status: 'ok', service: 'changgu', time: kstTime(await store.clock.now()) },
  }));

  route(app, taxPortalInfo, async ({ language }) => ({
    status: 200,
    body: taxPortalDirectory(actions, language),
  }));

  for (const operation of taxPortalActions) actionRoute(app, dependencies, operation);
}

function actionRoute(
  app: HttpApp,
  dependencies: TaxPortalDependencies,
  operation: Operation,
): void {
  const action = actionOf(dependencies.actions, operation);
  route(
    app,
    operation,
    async (request) => {
      const { principal, envScope, query, body, idempotencyKey, headers, signal } = request;
      const submitter = submitterOfKey(principal, request.origin);
      if (envScope === null) throw new TypeError(`${operation.id} has no environment`);
      const input = {
        // Elsewhere the query string is neither checked nor part of the request.
        ...(operation.query === undefined ? {} : objectOf(query)),
        ...objectOf(body),
      };
      const { hasEnded, replayed, jobId, answer } = await runTaxPortal(dependencies, {
        action,
        submitter,
        envScope,
        input,
        sandboxOutcome: sandboxOutcomeOf(headers),
        idempotencyKey,
        signal,
      }).catch((error: unknown) => {
        throw locatedInBody(error);
      });
      const status = hasEnded ? 200 : 202;
      const deprecation = await dependencies.deprecationOf(jobId);
      const more = replayed ? { 'idempotent-replayed': 'true', ...deprecation } : deprecation;
      return { status, body: answer, headers: more };
    },
    { acts: true },
  );
}

function actionOf(actions: readonly CatalogueAction[], { path, id }: Operation): CatalogueAction {
  const action = actions.find(
    ({ taxPortal }) => taxPortal !== null && `${TAX_PORTAL_PREFIX}${taxPortal.path}` === path,
  );
  if (action === undefined) throw new TypeError(`${id} has no action`);
  return action;
}

function objectOf(value: unknown): JsonFields {
  return isJsonObject(value) ? value : {};
}

/** Here the body itself is the params. */
function locatedInBody(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details.fields === undefined) return error;
  const fields = error.details.fields.map(
    ({ loc, ...rest }): FieldViolation => ({
      loc: loc[0] === 'body' && loc[1] === 'params' ? ['body', ...loc.slice(2)] : loc,
      ...rest,
    }),
  );
  return new ServiceError(error.code, { ...error.details, fields }, error.status);
}
