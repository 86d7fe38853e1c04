import { type EnvScope, isEndState } from '@changgu/contract';
import { findAction } from './fake-actions.ts';
import {
  type FakeAnswer,
  FakeRefusal,
  type FakeRequest,
  invalidField,
  kstTime,
} from './fake-answer.ts';
import {
  canonical,
  checkParamNames,
  isRecord,
  readBody,
  requireKey,
  requireText,
} from './fake-checks.ts';
import type { FakeBankAccount, FakeState } from './fake-state.ts';
import { fateOf } from './fake-submissions.ts';

const BODY = ['provider', 'action', 'account_link_id', 'bank_account_credential_ids', 'params'];
const SELECTORS = ['bank_account_credential_id', 'bank_account_credential_ids'];
/** What the service names as the pause between two rounds. */
const NEXT_ROUND_SECONDS = 10;

interface Line {
  readonly account: FakeBankAccount;
  readonly jobId: string | null;
  readonly status: string;
  readonly isNew: boolean;
}

/** POST /v1/jobs/all-accounts: one job per account, keys per account, the cap per action. */
export async function submitAllAccounts(
  state: FakeState,
  request: FakeRequest,
  envScope: EnvScope,
): Promise<FakeAnswer> {
  const body = readBody(request, BODY);
  const provider = requireText(body, 'provider');
  const action = requireText(body, 'action');
  const params = readParams(body.params);
  const key = requireKey(request);
  const selected = { ...params, bank_account_credential_id: '' };
  await state.clock.hold(findAction({ action, params: selected }, state.fates));
  const accounts = selectAccounts(state, provider, body);
  checkBatch(state, `${envScope}\n${key}`, canonical({ provider, action, params }));

  const scopeOf = ({ bankAccountCredentialId: id }: FakeBankAccount) =>
    `${envScope}\nall_accounts\n${key}\n${id}`;
  const fresh = accounts.filter((account) => !state.keys.has(scopeOf(account)));
  const left = state.remaining(envScope);
  if (left !== null && left < fresh.length) state.charge(envScope, fresh.length);

  const lines = accounts.map((account): Line => {
    const known = state.keys.get(scopeOf(account));
    if (known) {
      const status = state.jobs.stateOf(known.job);
      return { account, jobId: known.job.id, status, isNew: false };
    }
    if (unfinished(state, action) >= state.cap) {
      return { account, jobId: null, status: 'NOT_SUBMITTED', isNew: false };
    }
    state.charge(envScope, 1);
    const submission = {
      envScope,
      provider,
      action,
      accountLinkId: account.accountLinkId,
      params: { ...params, bank_account_credential_id: account.bankAccountCredentialId },
      encryptedFields: {},
    };
    const job = state.jobs.add(submission, fateOf(state, request, submission));
    state.keys.set(scopeOf(account), { identity: '', job });
    return { account, jobId: job.id, status: state.jobs.stateOf(job), isNew: true };
  });
  return answerOf(state, { envScope, provider, action }, lines);
}

function readParams(params: unknown): Record<string, unknown> {
  if (params === undefined || params === null) return {};
  if (!isRecord(params)) throw invalidField(422, ['body', 'params'], 'dict_type');
  for (const name of SELECTORS) {
    if (params[name] !== undefined && params[name] !== null) {
      throw invalidField(400, ['body', 'params', name]);
    }
  }
  checkParamNames(params, ['body', 'params']);
  return params;
}

/** Newest link and account first, whatever the order of the ids. */
function selectAccounts(
  state: FakeState,
  provider: string,
  body: Record<string, unknown>,
): FakeBankAccount[] {
  const { account_link_id: link = null, bank_account_credential_ids: ids = null } = body;
  if (link === '') throw invalidField(422, ['body', 'account_link_id'], 'string_too_short');
  const loc = ['body', 'bank_account_credential_ids'];
  if (ids !== null && !Array.isArray(ids)) throw invalidField(422, loc, 'list_type');
  if (ids?.length === 0) throw invalidField(422, loc, 'too_short');
  const ofBank = state.bankAccounts.filter((account) => account.provider === provider);
  const ofLink = ofBank.filter((account) => link === null || account.accountLinkId === link);
  if (ofLink.length === 0) throw new FakeRefusal('BANK_ACCOUNT_PARENT_NOT_FOUND');
  if (ids === null) return ofLink;
  const known = new Set(ofLink.map((account) => account.bankAccountCredentialId));
  if (ids.some((id) => !known.has(id))) throw new FakeRefusal('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
  return ofLink.filter((account) => ids.includes(account.bankAccountCredentialId));
}

/** One key is for one provider, action and params; other accounts are allowed. */
function checkBatch(state: FakeState, scope: string, identity: string): void {
  const before = state.batches.get(scope);
  if (before !== undefined && before !== identity) {
    throw new FakeRefusal('IDEMPOTENCY_KEY_CONFLICT');
  }
  state.batches.set(scope, identity);
}

function unfinished(state: FakeState, action: string): number {
  return state.jobs.all.filter(
    (job) => job.action === action && !isEndState(state.jobs.stateOf(job)),
  ).length;
}

function answerOf(
  state: FakeState,
  { envScope, provider, action }: { envScope: EnvScope; provider: string; action: string },
  lines: readonly Line[],
): FakeAnswer {
  const blocked = lines.filter(({ jobId }) => jobId === null);
  const accepted = lines.some(({ isNew }) => isNew);
  const replayed = !accepted && blocked.length === 0;
  return {
    status: accepted ? 202 : 200,
    headers: replayed ? { 'idempotent-replayed': 'true' } : {},
    body: {
      env_scope: envScope,
      provider,
      action,
      submitted_at: kstTime(state.clock.now()),
      account_count: lines.length,
      submitted_count: lines.length - blocked.length,
      accounts: lines.map(({ account, jobId, status }) => ({
        account_link_id: account.accountLinkId,
        bank_account_credential_id: account.bankAccountCredentialId,
        masked_account_no: account.maskedAccountNo,
        job_id: jobId,
        status,
        reason: jobId === null ? 'over_concurrency_limit' : null,
      })),
      next:
        blocked.length === 0
          ? null
          : {
              retry_after_seconds: NEXT_ROUND_SECONDS,
              bank_account_credential_ids: blocked.map(
                ({ account }) => account.bankAccountCredentialId,
              ),
              message: '잠시 후 남은 계좌를 다시 요청하십시오.',
            },
    },
  };
}
