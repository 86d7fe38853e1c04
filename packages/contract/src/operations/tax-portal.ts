import { Type } from 'typebox';
import { taxPortal } from '../actions/tax-portal.ts';
import type { ActionDefinition } from '../define-action.ts';
import { defineOperation, type Operation } from '../define-operation.ts';
import { Artifact } from '../schemas/job.ts';
import {
  JobId,
  JsonObject,
  KstTime,
  nullable,
  oneOf,
  strict,
  UuidV4,
} from '../schemas/vocabulary.ts';
import { DEPRECATION } from './deprecation.ts';

/** The synchronous tax-portal family: one operation per action that has a path there. */
export const TAX_PORTAL_PREFIX = '/tax_portal/products/v1';

const may = { client: true, legacy_api_key: true } as const;
const accountLinkId = Type.Optional(nullable(UuidV4));

/** The answer while the job behind the call is unfinished. */
const TaxPortalPending = Type.Object(
  { job_id: JobId, status: oneOf(['QUEUED', 'RUNNING'], { description: 'Job state' }) },
  { $id: 'TaxPortalPending', ...strict },
);

export const taxPortalHealth = defineOperation({
  id: 'taxPortalHealth',
  method: 'GET',
  path: `${TAX_PORTAL_PREFIX}/a/s1/health`,
  tag: 'tax-portal',
  summary: 'Check the tax-portal endpoints',
  may: { legacy_api_key: true },
  environment: 'none',
  responses: {
    200: {
      description: 'Up',
      schema: Type.Object(
        { status: Type.Literal('ok'), service: Type.String(), time: KstTime },
        { $id: 'TaxPortalHealthResponse', ...strict },
      ),
    },
  },
  errors: [],
});

export const taxPortalInfo = defineOperation({
  id: 'taxPortalInfo',
  method: 'GET',
  path: `${TAX_PORTAL_PREFIX}/info`,
  tag: 'tax-portal',
  summary: 'List the tax-portal endpoints',
  may,
  environment: 'none',
  responses: {
    200: {
      description: 'The endpoints',
      schema: Type.Object(
        {
          service_version: Type.Literal('2.0.0'),
          endpoints: Type.Array(
            Type.Object(
              {
                method: oneOf(['GET', 'POST']),
                path: Type.String(),
                function: Type.String(),
                screen_id: nullable(Type.String()),
                code: nullable(Type.String()),
              },
              strict,
            ),
          ),
        },
        { $id: 'TaxPortalInfoResponse', ...strict },
      ),
    },
  },
  errors: [],
});

/** Every action's answer in sandbox. */
const sandboxData = Type.Object({
  mock: Type.Literal(true),
  params_echo: JsonObject,
});

function answerOf(action: ActionDefinition) {
  if (action.taxPortal?.envelope === false) {
    return Type.Union([
      Type.Object({ job_id: JobId, ...action.result.properties }),
      Type.Object({ job_id: JobId, ...sandboxData.properties }),
    ]);
  }
  return Type.Object({
    success: Type.Boolean({ description: 'True when the job behind the call succeeded' }),
    job_id: JobId,
    screen_id: nullable(Type.String({ description: 'Screen of the portal' })),
    ...(action.taxPortal?.certificateCode
      ? { certificate_code: Type.String({ description: 'Code of the certificate' }) }
      : {}),
    data: nullable(Type.Union([action.result, sandboxData])),
    artifacts: Type.Array(Artifact),
  });
}

function operationOf(action: ActionDefinition): readonly Operation[] {
  if (!action.taxPortal) return [];
  const { method, path } = action.taxPortal;
  const input = Type.Object({ account_link_id: accountLinkId, ...action.params.properties });
  return [
    {
      id: `taxPortal${pascal(action.id.slice(action.id.lastIndexOf('.') + 1))}`,
      method,
      path: `${TAX_PORTAL_PREFIX}${path}`,
      tag: 'tax-portal',
      summary: action.title.en,
      description: `${action.description.en}\n\nRuns \`${action.id}\` and waits for it, up to 30 seconds.`,
      may,
      environment: 'client',
      requestHeaders: {
        'X-Sandbox-Outcome': 'Sandbox only: the end state to play (addition)',
      },
      ...(method === 'GET'
        ? { query: Type.Object({ account_link_id: Type.Optional(UuidV4) }) }
        : {
            body: input,
            bodyRequired: (input.required ?? []).length > 0,
            idempotencyKey: 'optional' as const,
          }),
      responses: {
        200: { description: 'The job succeeded', schema: answerOf(action), headers: HEADERS },
        202: {
          description: 'The job has not ended; read it by its id',
          schema: TaxPortalPending,
          headers: HEADERS,
        },
      },
      errors: [...SUBMISSION_ERRORS, ...INSTITUTION_ERRORS],
    },
  ];
}

const HEADERS = { 'Idempotent-Replayed': '`true` on a replay', ...DEPRECATION };
const SUBMISSION_ERRORS = [
  'IDEMPOTENCY_KEY_CONFLICT',
  'POLICY_QUOTA_EXCEEDED',
  'POLICY_STORAGE_EXCEEDED',
  'POLICY_PAID_REQUIRED',
  'POLICY_ENV_NOT_APPROVED',
  'POLICY_CONSENT_REQUIRED',
  'POLICY_TOOL_NOT_ALLOWED',
  'ACCOUNT_LINK_REQUIRED',
  'ACCOUNT_LINK_NOT_FOUND',
  'PRODUCT_RETIRED',
  'PROVIDER_NOT_CONFIGURED',
] as const;

/** The possible ends of a job, as the answer of the call that waited for it. */
const INSTITUTION_ERRORS = [
  'AUTH_REQUIRED',
  'PROVIDER_AUTH_FAILED',
  'PROVIDER_SESSION_EXPIRED',
  'PROVIDER_CREDENTIAL_REJECTED',
  'PROVIDER_ACCOUNT_LOCKED',
  'PROVIDER_VALIDATION_ERROR',
  'PROVIDER_UPSTREAM_ERROR',
  'PROVIDER_OUTCOME_UNCONFIRMED',
  'PROVIDER_MAINTENANCE',
  'CREDENTIAL_INVALID',
  'JOB_TIMEOUT',
  'JOB_WORKER_LOST',
  'JOB_NOT_SUCCEEDED',
] as const;

function pascal(snake: string): string {
  return snake.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export const taxPortalActions: readonly Operation[] = taxPortal.actions.flatMap(operationOf);
