import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { Language } from '@changgu/contract/language';
import type { AllAccountsResponse } from '@changgu/contract/schemas';
import { newJobId } from '../../ids.ts';
import {
  type LineAccount,
  openAccounts,
  planCall,
  stopOf,
} from '../../rules/all-accounts/plan-call.ts';
import { idOrNone } from '../../rules/identity/account-id.ts';
import { bytesOfJob } from '../../rules/quota/storage.ts';
import { type FieldViolation, invalidValue, ServiceError } from '../../rules/service-error.ts';
import { requestRefusal } from '../../rules/submission/decide-submission.ts';
import { assertParamsSize } from '../../rules/submission/params-size.ts';
import { identityWithLink, identityWithoutLink } from '../../rules/submission/request-identity.ts';
import type { SubmissionRequest, SubmissionRules } from '../../rules/submission/submission.ts';
import type { Store } from '../../store/database.ts';
import type { CallJobs } from '../../store/submission/all-accounts.ts';
import type { NewLine } from '../../store/submission/job-insert.ts';
import { currentTraceparent } from '../../tracing/spans.ts';
import {
  assertKeyAllows,
  knownAction,
  playedOutcome,
  semanticViolations,
  severalAccounts,
} from '../submit.ts';
import { allAccountsResponse, stopError } from './answer.ts';
import { jobsAfter, submitLines } from './submit-lines.ts';

/** The maximum number of unfinished jobs of one bank product. */
export interface ProductCap {
  readonly jobs: number;
  /** Only jobs submitted within this time count. */
  readonly windowSeconds: number;
}

export interface AllAccountsDependencies {
  readonly store: Pick<Store, 'allAccounts'>;
  readonly rules: SubmissionRules;
  readonly cap: ProductCap;
}

/** A call that passed authentication, environment, shape and key (steps 1 to 5 of D19). */
export interface AllAccountsCall
  extends Pick<
    SubmissionRequest,
    | 'submitter'
    | 'envScope'
    | 'idempotencyKey'
    | 'provider'
    | 'action'
    | 'accountLinkId'
    | 'params'
    | 'sandboxOutcome'
  > {
  /** Null means all accounts. */
  readonly bankAccountCredentialIds: readonly string[] | null;
  /** The language of the messages in the answer. */
  readonly language: Language;
}

export interface AllAccountsAnswer {
  /** True: at least one line is new, 202; false: 200. */
  readonly accepted: boolean;
  /** Jobs that are there because of this call, not of one before. */
  readonly newJobs: ReadonlySet<string>;
  readonly response: AllAccountsResponse;
}

/**
 * POST /v1/jobs/all-accounts from step 6 on: one read that plans the call, transactions of many lines each
 * in order, and one read of the jobs' current state.
 * @throws ServiceError when nothing was submitted
 */
export async function submitAllAccounts(
  dependencies: AllAccountsDependencies,
  request: AllAccountsCall,
): Promise<AllAccountsAnswer> {
  const { store, rules } = dependencies;
  const { params, action, call, rows } = await readCall(dependencies, request);
  const fresh = planCall(rows, call);
  const outcome = { ...call, now: rows.now, language: request.language };
  const [first] = fresh;
  if (first === undefined) {
    const response = allAccountsResponse({ ...outcome, accounts: rows.accounts, stop: null });
    return { accepted: false, newJobs: new Set(), response };
  }
  assertAcceptable(rules, action, lineParams(params, first.id), call, rows.now);
  const lines = fresh.map((account) => newLine(action, account, params));
  const { accepted, gone, stop } = await submitLines(store.allAccounts, call, lines);
  const accounts = rows.accounts.filter(({ id }) => !gone.has(id));
  if (accounts.length === 0) throw new ServiceError('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
  if (stop && accepted.length === 0) throw stopError(stop, call.usageTokens, fresh.length);
  const jobs = await jobsAfter(store.allAccounts, call, accounts, accepted);
  const made = new Set(lines.map(({ jobId }) => jobId));
  const answered = accounts.map((account) => ({ ...account, job: jobs.get(account.id) ?? null }));
  return {
    accepted: accepted.length > 0,
    newJobs: new Set([...jobs.values()].flatMap(({ id }) => (made.has(id) ? [id] : []))),
    response: allAccountsResponse({ ...outcome, accounts: answered, stop }),
  };
}

/**
 * What earlier requests under the call's key have come to. Submits nothing, so that accounts without a job need no
 * tokens. Null where the key has no job.
 * @throws ServiceError as submitting does, except for what it would need
 */
export async function findAllAccounts(
  dependencies: AllAccountsDependencies,
  request: AllAccountsCall,
): Promise<AllAccountsAnswer | null> {
  const { call, rows } = await readCall(dependencies, request);
  const open = openAccounts(rows, call);
  if (rows.requestHash === null) return null;
  const { now, accounts } = rows;
  const stop = stopOf(rows, call, open);
  const outcome = { ...call, now, accounts, stop, language: request.language };
  return { accepted: false, newJobs: new Set(), response: allAccountsResponse(outcome) };
}

/** Checks the call itself, and reads the rows that decide it. */
async function readCall({ store, rules, cap }: AllAccountsDependencies, request: AllAccountsCall) {
  assertParamsSize(request.params);
  const params = sharedParams(request);
  const action = selectingAction(rules, request);
  assertKeyAllows(request, action);
  const { bankAccountCredentialIds: ids, accountLinkId, envScope } = request;
  const listedIds = ids && new Set(ids.map(idOrNone));
  const call = { ...(await jobsOf(request, { rules, cap, action, params })), listedIds };
  const rows = await store.allAccounts.read({
    ...call,
    accountLinkId: accountLinkId === null ? null : idOrNone(accountLinkId),
    linkPurpose: rules.linkPurpose(action.provider, envScope),
    accountIds: listedIds && [...listedIds],
  });
  return { params, action, call, rows };
}

/** The accounts that have a job under the call's key. Submits nothing. */
export async function accountsUnderKey(
  { store, rules, cap }: AllAccountsDependencies,
  request: AllAccountsCall,
): Promise<ReadonlySet<string>> {
  const params = sharedParams(request);
  const action = selectingAction(rules, request);
  const call = await jobsOf(request, { rules, cap, action, params });
  return new Set((await store.allAccounts.jobsOfKey(call)).keys());
}

/** As long as any account's id. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Step 6: the params that all lines share, which are those of the call without an account. */
function sharedParams(request: AllAccountsCall): Readonly<Record<string, unknown>> {
  const { bank_account_credential_id: account = null, ...shared } = request.params;
  const violations = [
    ...semanticViolations(request),
    ...(account === null ? [] : [accountInParams()]),
    ...severalAccounts(request.params),
  ];
  if (violations.length > 0) throw invalidValue(violations);
  return shared;
}

function accountInParams(): FieldViolation {
  const msg = 'Accounts are chosen by bank_account_credential_ids beside params';
  return { loc: ['body', 'params', 'bank_account_credential_id'], msg, type: 'value_error' };
}

/** Step 7: the action is known and selects an account. */
function selectingAction(rules: SubmissionRules, request: AllAccountsCall): CatalogueAction {
  const action = knownAction(rules, request);
  if (action.selectsAccount) return action;
  const msg = 'The action does not select an account';
  throw invalidValue([{ loc: ['body', 'action'], msg, type: 'value_error' }]);
}

/** What all lines of the call have in common. */
async function jobsOf(
  { submitter, envScope, idempotencyKey, ...request }: AllAccountsCall,
  {
    rules,
    cap,
    action,
    params,
  }: Pick<AllAccountsDependencies, 'rules' | 'cap'> & {
    readonly action: CatalogueAction;
    readonly params: Readonly<Record<string, unknown>>;
  },
): Promise<CallJobs & { readonly productRetired: boolean }> {
  const sandboxOutcome = playedOutcome({ envScope, ...request });
  const product = await rules.product(action);
  return {
    organizationId: submitter.organizationId,
    envScope,
    operation: 'all_accounts',
    idempotencyKey,
    submittedBy: submitter.name,
    ...(submitter.origin ? { origin: submitter.origin } : {}),
    irreversible: action.irreversible,
    provider: action.provider,
    action: action.id,
    usageTokens: action.usageTokens,
    timeoutSeconds: action.timeoutSeconds,
    queueLimitSeconds: rules.queueLimitSeconds,
    // All-accounts has no encrypted fields.
    encryptedFields: null,
    duplicateFields: null,
    sandboxOutcome,
    traceContext: currentTraceparent(),
    productVersionId: product.versionId,
    resultSchema: product.resultSchema,
    productRetired: product.retired,
    laneScope: rules.laneScope(action.provider, envScope),
    requestHash: identityOf(action, params),
    plans: rules.plans,
    storageLimitBytes: rules.storageLimitBytes,
    jobBytes: bytesOfJob(JSON.stringify(lineParams(params, NIL_UUID))),
    cap: cap.jobs,
    capWindowSeconds: cap.windowSeconds,
  };
}

/** @throws ServiceError the error that a single submission of the first line would get */
function assertAcceptable(
  rules: SubmissionRules,
  action: CatalogueAction,
  params: Readonly<Record<string, unknown>>,
  {
    envScope,
    productRetired,
  }: { envScope: SubmissionRequest['envScope']; productRetired: boolean },
  now: number,
): void {
  const wish = {
    action: action.id,
    params: JSON.stringify(params),
    paramsViolations: rules.checkParams(action, params),
    productRetired,
    providerConfigured: rules.isConfigured(action.provider, envScope),
  };
  const refusal = requestRefusal(wish, now);
  if (refusal) throw refusal;
}

/** A line is a separate submission, with its account among the params. */
function newLine(
  action: CatalogueAction,
  { accountLinkId, id: accountId }: LineAccount,
  callParams: Readonly<Record<string, unknown>>,
): NewLine {
  const params = lineParams(callParams, accountId);
  const identity = identityOf(action, params);
  return {
    jobId: newJobId(),
    accountLinkId,
    accountId,
    params: JSON.stringify(params),
    identityWithoutLink: identity,
    identityHash: identityWithLink(identity, accountLinkId),
  };
}

function lineParams(params: Readonly<Record<string, unknown>>, accountId: string) {
  return { ...params, bank_account_credential_id: accountId };
}

function identityOf(
  { provider, id }: CatalogueAction,
  params: Readonly<Record<string, unknown>>,
): string {
  return identityWithoutLink({ provider, action: id, params, encryptedFields: {} });
}
