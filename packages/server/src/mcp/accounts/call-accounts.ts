import { type CatalogueAction, readsOn } from '@changgu/contract/catalogue';
import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type AllAccountsCall,
  accountsUnderKey,
  findAllAccounts,
  submitAllAccounts,
} from '../../jobs/all-accounts/submit-all-accounts.ts';
import type { Language } from '../../requests/language.ts';
import { submitterOf } from '../../requests/submitter.ts';
import type { Waiting } from '../call-one-job.ts';
import type { Caller } from '../caller.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';
import type { Progress } from '../progress-notifications.ts';
import { freedJobs } from '../submit-run.ts';
import type { ToolCall } from '../tools/arguments.ts';
import { accountRuns, type SubmitAccounts } from './account-runs.ts';
import { accountsResult } from './accounts-result.ts';
import { type AccountsState, endedLines } from './accounts-state.ts';
import { lineEnded, linesDone } from './line-words.ts';
import { watchAccounts } from './watch-accounts.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * One job per account: submits them, waits for them and submits blocked ones as others make
 * room; returns at once when nothing was accepted.
 * @throws ServiceError when nothing was submitted
 */
export async function callAccounts(
  dependencies: McpDependencies,
  caller: Caller,
  action: CatalogueAction,
  call: ToolCall,
  { progress, patience }: Waiting,
): Promise<CallToolResult> {
  const request: AllAccountsCall = {
    submitter: submitterOf(caller.principal, caller.origin),
    envScope: caller.envScope,
    idempotencyKey: call.idempotencyKey,
    provider: action.provider,
    action: action.id,
    accountLinkId: call.accountLinkId,
    params: call.params,
    sandboxOutcome: caller.sandboxOutcome,
    bankAccountCredentialIds: call.accounts?.ids ?? null,
    language: caller.language,
  };
  const { store, submissions, cap } = dependencies;
  const service = { store, rules: submissions.rules, cap };
  const isReading = readsOn(call.view);
  const submit: SubmitAccounts = async (idempotencyKey, ids) => {
    const wanted = { ...request, idempotencyKey, bankAccountCredentialIds: ids };
    const found = isReading ? await findAllAccounts(service, wanted) : null;
    return found ?? submitAllAccounts(service, wanted);
  };
  const runs = accountRuns(call.idempotencyKey, submit, caller);
  const begun = isReading
    ? (idempotencyKey: string) => accountsUnderKey(service, { ...request, idempotencyKey })
    : null;
  const freed = async (jobIds: readonly string[]) =>
    call.isFreedByFailure ? freedJobs(dependencies, caller, jobIds) : NONE;
  const first = await runs.begin(request.bankAccountCredentialIds, freed, begun);
  if (begun) return accountsResult(dependencies, caller, { action, call, state: first });
  const report = linesReport(progress, first, caller.language);
  await report(first);
  const watch = { submit: runs.submit, report, patience };
  const state = await watchAccounts(dependencies, caller, first, watch);
  return accountsResult(dependencies, caller, { action, call, state });
}

/**
 * Tells first how many accounts have ended and the jobs of the others, then each account that ends and how, one by one.
 */
function linesReport(progress: Progress, first: AccountsState, language: Language) {
  const told = new Set<string>();
  const total = first.lines.length;
  const tell = (what: string) =>
    progress.report(told.size, total, `${linesDone(told.size, total, language)}${what}`);
  return async (state: AccountsState) => {
    const ended = endedLines(state).filter((line) => !told.has(line.bank_account_credential_id));
    if (state === first) {
      for (const line of ended) told.add(line.bank_account_credential_id);
      await tell(jobsText(first));
      return;
    }
    for (const line of ended) {
      told.add(line.bank_account_credential_id);
      await tell(` (${lineEnded(line, language)})`);
    }
  };
}

const NAMED_JOBS = 20;

/** Before waiting, so that a call that is cut off leaves no unknown job. */
function jobsText({ lines }: AccountsState): string {
  const ids = lines.flatMap(({ job_id: id }) => (id === null ? [] : [id]));
  if (ids.length === 0) return '';
  const rest = ids.length > NAMED_JOBS ? ', …' : '';
  return ` (job_id: ${ids.slice(0, NAMED_JOBS).join(', ')}${rest})`;
}
