import { checkAliases } from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { JobSubmitResponse, JobValidationResponse } from '@changgu/contract/schemas';
import type { Vault } from '../crypto/vault.ts';
import { newJobId } from '../ids.ts';
import { idOrNone } from '../rules/identity/account-id.ts';
import { mayRunAction } from '../rules/principals/allowed-action.ts';
import type { Plans } from '../rules/quota/plans.ts';
import {
  type FieldViolation,
  insufficientScope,
  invalidValue,
  ServiceError,
} from '../rules/service-error.ts';
import type { ReceiveCiphertexts } from '../rules/submission/bind-ciphertexts.ts';
import { checkEncryptedFields, duplicateNames } from '../rules/submission/encrypted-fields.ts';
import { assertParamsSize } from '../rules/submission/params-size.ts';
import { identityWithoutLink } from '../rules/submission/request-identity.ts';
import { formatSandboxOutcome, parseSandboxOutcome } from '../rules/submission/sandbox-outcome.ts';
import { sensitiveNames } from '../rules/submission/sensitive-names.ts';
import type { SubmissionRequest, SubmissionRules } from '../rules/submission/submission.ts';
import type { Store } from '../store/database.ts';
import { encryptedFieldsPlace } from '../store/schema/sealed-places.ts';
import type { Submission, SubmissionCheck } from '../store/submission/accept-submission.ts';
import { currentTraceparent } from '../tracing/spans.ts';
import { submittedView } from './job-view.ts';

/** Sandbox counts no tokens, and plans are most of what a submission brings to the database's thread. */
const NO_PLANS: Plans = {};

export interface SubmitDependencies {
  readonly store: Pick<Store, 'jobs'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly rules: SubmissionRules;
  /** What its ciphertexts are known by, to bind them with the job; its run refuses those that came for others before. */
  readonly receiveCiphertexts: ReceiveCiphertexts;
}

export interface SubmitAnswer {
  /** True: 200 with `Idempotent-Replayed`; false: 202. */
  readonly replayed: boolean;
  readonly response: JobSubmitResponse;
}

/**
 * POST /v1/jobs from step 6 on: everything that needs no rows, then one transaction.
 * @throws ServiceError of the first check that fails
 */
export async function submitJob(
  dependencies: SubmitDependencies,
  request: SubmissionRequest,
): Promise<SubmitAnswer> {
  const prepared = await prepareSubmission(dependencies, request);
  const submission = await withCiphertexts(dependencies, request, prepared);
  const { kind, job } = await dependencies.store.jobs.submit(submission);
  return {
    replayed: kind === 'replayed',
    response: submittedView({ ...submission, ...job }),
  };
}

/** `Prefer: validate-only`: the same checks, without accepting or charging anything. */
export async function validateSubmission(
  dependencies: SubmitDependencies,
  request: SubmissionRequest,
): Promise<JobValidationResponse> {
  return (await tryOutSubmission(dependencies, request)).validation;
}

/** The same checks, and with which job `submitJob` would replay; null where it would create one. */
export async function tryOutSubmission(
  dependencies: SubmitDependencies,
  request: SubmissionRequest,
): Promise<{ validation: JobValidationResponse; replay: SubmitAnswer | null }> {
  const submission = await prepareSubmission(dependencies, request);
  const { job, ...check } = await dependencies.store.jobs.checkSubmission(submission);
  const replay = job && { replayed: true, response: submittedView({ ...submission, ...job }) };
  return { validation: validationOf(submission, check), replay };
}

function validationOf(
  submission: Submission,
  check: Omit<SubmissionCheck, 'job'>,
): JobValidationResponse {
  return {
    valid: true,
    env_scope: submission.envScope,
    provider: submission.provider,
    action: submission.action,
    account_link_id: check.accountLinkId,
    usage_tokens: submission.usageTokens,
    remaining_tokens: check.remainingTokens,
  };
}

/** Steps 6 and 7, the key's rights (8), and what the transaction will need. */
async function prepareSubmission(
  { vault, rules }: SubmitDependencies,
  request: SubmissionRequest,
): Promise<Submission> {
  assertParamsSize(request.params);
  const sandboxOutcome = checkMeaning(request);
  const action = knownAction(rules, request);
  const several = action.selectsAccount ? severalAccounts(request.params) : [];
  if (several.length > 0) throw invalidValue(several);
  assertKeyAllows(request, action);
  const { submitter, envScope, params, encryptedFields } = request;
  const jobId = newJobId();
  const product = await rules.product(action);
  const duplicates = duplicateNames(params, encryptedFields);
  return {
    jobId,
    organizationId: submitter.organizationId,
    envScope,
    operation: 'submit',
    idempotencyKey: request.idempotencyKey,
    idempotencyAccount: request.followsJobId ?? '',
    submittedBy: submitter.name,
    ...(submitter.origin ? { origin: submitter.origin } : {}),
    irreversible: action.irreversible,
    provider: action.provider,
    action: action.id,
    link: action.link,
    selectsAccount: action.selectsAccount,
    ownerKind: action.ownerKind,
    usageTokens: action.usageTokens,
    timeoutSeconds: action.timeoutSeconds,
    queueLimitSeconds: rules.queueLimitSeconds,
    accountLinkId: request.accountLinkId?.toLowerCase() ?? null,
    namedAccountId: namedAccount(action, params),
    params: JSON.stringify(params),
    encryptedFields: await sealFields(vault, request, jobId),
    duplicateFields: duplicates.length === 0 ? null : JSON.stringify(duplicates),
    identityWithoutLink: identityWithoutLink(request),
    sandboxOutcome,
    traceContext: currentTraceparent(),
    paramsViolations: rules.checkParams(action, params),
    productVersionId: product.versionId,
    resultSchema: product.resultSchema,
    productRetired: product.retired,
    providerConfigured: rules.isConfigured(action.provider, envScope),
    linkPurpose: rules.linkPurpose(action.provider, envScope),
    laneScope: rules.laneScope(action.provider, envScope),
    plans: envScope === 'sandbox' ? NO_PLANS : rules.plans,
    storageLimitBytes: rules.storageLimitBytes,
  };
}

/** Sandbox decrypts nothing, so no job of it uses a ciphertext. */
async function withCiphertexts(
  { receiveCiphertexts }: SubmitDependencies,
  { encryptedFields }: SubmissionRequest,
  submission: Submission,
): Promise<Submission> {
  if (submission.encryptedFields === null) return submission;
  const ciphertexts = await receiveCiphertexts(submission.organizationId, encryptedFields);
  return ciphertexts === null ? submission : { ...submission, ciphertexts };
}

/** Step 6. Returns the sandbox outcome as the row stores it. */
function checkMeaning(request: SubmissionRequest): string | null {
  const violations = semanticViolations(request);
  if (violations.length > 0) throw invalidValue(violations);
  checkEncryptedFields(request.encryptedFields);
  return playedOutcome(request);
}

/**
 * What a sandbox job is asked to play, as its row stores it; null for nothing, and in every other environment.
 * @throws ServiceError 400 for an outcome that cannot be played
 */
export function playedOutcome({
  envScope,
  sandboxOutcome,
}: Pick<SubmissionRequest, 'envScope' | 'sandboxOutcome'>): string | null {
  if (envScope !== 'sandbox' || sandboxOutcome === null) return null;
  return formatSandboxOutcome(parseSandboxOutcome(sandboxOutcome));
}

/** Step 6: semantic violations in params, for single and all-accounts calls. */
export function semanticViolations({
  action,
  params,
}: Pick<SubmissionRequest, 'action' | 'params'>): FieldViolation[] {
  const aliases = checkAliases(action, params).map(({ loc, msg, type }) => ({
    loc: ['body', 'params', ...loc],
    msg,
    type,
  }));
  return [...sensitiveNames(params), ...aliases];
}

/** Passed on as an unknown name, it would answer for the default account as if that had been named. */
export function severalAccounts(params: SubmissionRequest['params']): FieldViolation[] {
  const name = 'bank_account_credential_ids';
  if (!Object.hasOwn(params, name)) return [];
  const msg = 'Several accounts are chosen beside the params of an all-accounts call';
  return [{ loc: ['body', 'params', name], msg, type: 'value_error' }];
}

/** Step 7: provider and action are known. */
export function knownAction(
  rules: Pick<SubmissionRules, 'findAction' | 'nearestAction' | 'hasProvider'>,
  request: Pick<SubmissionRequest, 'provider' | 'action'>,
): CatalogueAction {
  const action = rules.findAction(request.action);
  if (action?.provider === request.provider) return action;
  if (!rules.hasProvider(request.provider)) throw unknown('provider', 'There is no such provider');
  if (action === undefined) throw unknown('action', noSuchAction(rules, request.action));
  throw unknown('provider', 'The action belongs to another provider');
}

function noSuchAction({ nearestAction }: Pick<SubmissionRules, 'nearestAction'>, action: string) {
  const near = nearestAction(action);
  return `There is no such action${near === null ? '' : `; did you mean ${near}?`}`;
}

function unknown(field: 'provider' | 'action', msg: string): ServiceError {
  return invalidValue([{ loc: ['body', field], msg, type: 'value_error' }]);
}

/** The part of step 8 that depends on the caller's key. */
export function assertKeyAllows(
  { submitter, envScope }: Pick<SubmissionRequest, 'submitter' | 'envScope'>,
  action: CatalogueAction,
): void {
  if (!submitter.allowedEnvScopes.includes(envScope)) {
    throw new ServiceError('POLICY_ENV_NOT_ALLOWED');
  }
  if (action.irreversible && submitter.scopes?.includes('jobs:irreversible') === false) {
    throw insufficientScope(submitter.scopes, 'jobs:irreversible');
  }
  if (!mayRunAction(submitter, action)) throw new ServiceError('POLICY_TOOL_NOT_ALLOWED');
}

/** Also null for anything but a string, which the params schema reports. */
function namedAccount(
  action: CatalogueAction,
  params: Readonly<Record<string, unknown>>,
): string | null {
  const { bank_account_credential_id: id } = params;
  return action.selectsAccount && typeof id === 'string' ? idOrNone(id) : null;
}

/** Sandbox decrypts nothing, so it stores nothing. */
async function sealFields(
  vault: Pick<Vault, 'seal'>,
  { envScope, submitter, encryptedFields }: SubmissionRequest,
  jobId: string,
): Promise<Uint8Array | null> {
  if (envScope === 'sandbox' || Object.keys(encryptedFields).length === 0) return null;
  const json = Buffer.from(JSON.stringify(encryptedFields));
  return vault.seal(String(submitter.organizationId), encryptedFieldsPlace(jobId), json);
}
