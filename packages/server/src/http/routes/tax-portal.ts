import type { CatalogueAction } from '@changgu/contract/catalogue';
import { type Operation, operations } from '@changgu/contract/schemas';
import {
  type RunAndWaitDependencies,
  type RunAnswer,
  runAndWait,
} from '../../jobs/run-and-wait.ts';
import { submitterOf } from '../../requests/submitter.ts';
import { kstTime } from '../../rules/kst.ts';
import type { Origin } from '../../rules/principals/actor.ts';
import { type Principal, principalKey } from '../../rules/principals/principal.ts';
import { type FieldViolation, ServiceError } from '../../rules/service-error.ts';
import type { Submitter } from '../../rules/submission/submission.ts';
import type { Store } from '../../store/database.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';
import { sandboxOutcomeOf } from '../sandbox-outcome.ts';

export interface TaxPortalDependencies extends RunAndWaitDependencies {
  readonly store: Pick<Store, 'clock' | 'jobs'>;
  /** Actions of the tax portal, by their path in the family. */
  readonly actions: readonly CatalogueAction[];
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
    body: {
      service_version: '2.0.0',
      endpoints: actions.flatMap(({ taxPortal, title }) =>
        taxPortal === null
          ? []
          : [
              {
                method: taxPortal.method,
                path: `${TAX_PORTAL_PREFIX}${taxPortal.path}`,
                function: title[language],
                screen_id: taxPortal.screenId,
                code: taxPortal.certificateCode,
              },
            ],
      ),
    },
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
      const submitter = taxPortalSubmitter(principal, request.origin);
      if (envScope === null) throw new TypeError(`${operation.id} has no environment`);
      const { account_link_id: accountLinkId, ...params } = {
        // Elsewhere the query string is not checked, and is no part of the request.
        ...(operation.query === undefined ? {} : objectOf(query)),
        ...objectOf(body),
      };
      const answer = await runAndWait(dependencies, {
        submission: {
          submitter,
          envScope,
          provider: action.provider,
          action: action.id,
          accountLinkId: typeof accountLinkId === 'string' ? accountLinkId : null,
          params,
          encryptedFields: {},
          sandboxOutcome: sandboxOutcomeOf(headers),
        },
        idempotencyKey,
        irreversible: action.irreversible,
        signal,
      }).catch((error: unknown) => {
        throw locatedInBody(error);
      });
      const replayed = answer.replayed ? { 'idempotent-replayed': 'true' } : {};
      return answer.kind === 'result'
        ? { status: 200, body: resultBody(action, answer), headers: replayed }
        : { status: 202, body: { job_id: answer.jobId, status: answer.status }, headers: replayed };
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

/** Client keys work as on POST /v1/jobs; a legacy key may do whatever its environment allows. */
function taxPortalSubmitter(principal: Principal | null, origin: Origin): Submitter {
  if (principal?.kind === 'client') return submitterOf(principal, origin);
  if (principal?.kind !== 'legacy_api_key') throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  return {
    name: principalKey(principal),
    organizationId: principal.organizationId,
    allowedEnvScopes: [principal.envScope],
    readOnly: false,
    allowedActions: null,
    origin,
    scopes: null,
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The session endpoints answer without an envelope, all others with one. */
function resultBody(
  { id, taxPortal }: CatalogueAction,
  { jobId, result }: Extract<RunAnswer, { kind: 'result' }>,
) {
  if (id.startsWith('tax_portal.s1.')) return { job_id: jobId, ...result.data };
  const { screenId = null, certificateCode = null } = taxPortal ?? {};
  return {
    success: true,
    job_id: jobId,
    screen_id: screenId,
    ...(certificateCode === null ? {} : { certificate_code: certificateCode }),
    data: result.data ?? null,
    artifacts: result.artifacts,
  };
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
