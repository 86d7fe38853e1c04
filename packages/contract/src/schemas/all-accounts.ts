import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { LINE_STATES } from '../values/job-states.ts';
import { EnvScope, JobId, JsonObject, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

/** Body of POST /v1/jobs/all-accounts. */
export const AllAccountsRequest = Type.Object(
  {
    provider: Type.String({ minLength: 1 }),
    action: Type.String({ minLength: 1 }),
    account_link_id: Type.Optional(nullable(Type.String({ minLength: 1 }))),
    bank_account_credential_ids: Type.Optional(
      nullable(Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.accountIdsPerRequest })),
    ),
    params: Type.Optional(nullable(JsonObject)),
  },
  { $id: 'AllAccountsRequest', ...strict },
);
export type AllAccountsRequest = Static<typeof AllAccountsRequest>;

export const AllAccountsLine = Type.Object(
  {
    account_link_id: Type.String(),
    bank_account_credential_id: Type.String(),
    masked_account_no: Type.String(),
    job_id: nullable(JobId),
    status: oneOf(LINE_STATES),
    reason: nullable(oneOf(['over_concurrency_limit', 'interrupted'])),
  },
  { $id: 'AllAccountsLine', ...strict },
);
export type AllAccountsLine = Static<typeof AllAccountsLine>;

export const AllAccountsNext = Type.Object(
  {
    retry_after_seconds: Type.Integer({ minimum: 1 }),
    bank_account_credential_ids: Type.Array(Type.String()),
    message: Type.String(),
  },
  { $id: 'AllAccountsNext', ...strict },
);

export const AllAccountsResponse = Type.Object(
  {
    env_scope: EnvScope,
    provider: Type.String(),
    action: Type.String(),
    submitted_at: KstTime,
    account_count: Type.Integer({ minimum: 0 }),
    submitted_count: Type.Integer({ minimum: 0 }),
    accounts: Type.Array(AllAccountsLine),
    next: nullable(AllAccountsNext),
    interruption: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String(), reason: nullable(Type.String()) },
        strict,
      ),
    ),
  },
  { $id: 'AllAccountsResponse', ...strict },
);
export type AllAccountsResponse = Static<typeof AllAccountsResponse>;
