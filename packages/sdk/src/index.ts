export type {
  EndState,
  EnvScope,
  ErrorCode,
  JobState,
  NextStep,
  NextStepKind,
  NextStepTerms,
} from '@changgu/contract';
export { END_STATES, isEndState, JOB_STATES } from '@changgu/contract';
export { Changgu, type WireAnswer, type WireRequest } from './client.ts';
export type { ClientOptions, RequestOptions } from './client-options.ts';
export type { EncryptionKeySet } from './encryption/choose-key.ts';
export type { Secrets } from './encryption/encrypt-fields.ts';
export type { EncryptionKey, Encryptor } from './encryption/encryptor.ts';
export { type AnyChangguError, isChangguError } from './errors/any-error.ts';
export * from './errors/api-error.ts';
export * from './errors/artifact-errors.ts';
export { type CallFacts, ChangguError } from './errors/changgu-error.ts';
export * from './errors/job-errors.ts';
export * from './errors/local-errors.ts';
export * from './errors/transport-errors.ts';
export type {
  AccountActionId,
  ActionData,
  ActionId,
  ActionParams,
  SecretName,
} from './jobs/action-types.ts';
export type {
  AllAccountsCheckpoint,
  Interruption,
  SubmittedAccount,
} from './jobs/all-accounts/checkpoint.ts';
export type {
  AccountOutcome,
  AccountOutcomes,
  AllAccountsOptions,
} from './jobs/all-accounts/outcomes.ts';
export type {
  AllAccountsRequest,
  AllAccountsRound,
  RoundsOptions,
} from './jobs/all-accounts/rounds.ts';
export type {
  AccountStep,
  AllAccountsStep,
  AllAccountsStepsOptions,
  AllAccountsStop,
  EndStep,
  RoundStep,
} from './jobs/all-accounts/steps.ts';
export type { JobHandle, WaitOptions } from './jobs/handle.ts';
export type * from './jobs/job.ts';
export type { PreparedSubmission } from './jobs/prepared.ts';
export type { ResumeToken } from './jobs/resume-token.ts';
export type { SubmitRequest } from './jobs/submit-request.ts';
export {
  type CheckedReceipt,
  type MissingReceipts,
  type ReceiptFault,
  type ReceiptReport,
  verifyReceipts,
} from './receipts/verify-receipts.ts';
export type { Clock } from './request/clock.ts';
export type { ConnectionOptions } from './request/connection-options.ts';
export type { RetryEvent } from './request/core.ts';
export type {
  Fetch,
  FetchAnswer,
  HttpRequest,
  HttpResponse,
  Logger,
  Middleware,
  MiddlewareContext,
  ResponseHeaders,
} from './request/http.ts';
export type { LogLevel } from './request/logging.ts';
export type { Reply, ResponseFacts, WithResponse } from './request/reply.ts';
export type { Span, Tracer } from './request/tracing.ts';
export type * from './resources/account.ts';
export type * from './resources/admin.ts';
export type * from './resources/app-credentials.ts';
export type * from './resources/artifacts.ts';
export type * from './resources/audit.ts';
export type * from './resources/bank-accounts.ts';
export type * from './resources/billing.ts';
export type * from './resources/credentials.ts';
export type * from './resources/encryption-keys.ts';
export type * from './resources/events.ts';
export type * from './resources/factors.ts';
export type * from './resources/institutions.ts';
export type * from './resources/integrators.ts';
export type * from './resources/jobs.ts';
export type * from './resources/members.ts';
export type * from './resources/membership.ts';
export type * from './resources/oauth.ts';
export type * from './resources/products.ts';
export type * from './resources/receipts.ts';
export type * from './resources/system.ts';
export type * from './resources/tax-portal.ts';
export type * from './resources/webhooks.ts';
export { VERSION } from './version.ts';
export { type Camelized, type CamelName, snakeize as toWireCase } from './wire-case.ts';
