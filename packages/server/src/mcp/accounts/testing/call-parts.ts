import type {
  AllAccountsLine,
  AllAccountsResponse,
  JobReadResponse,
} from '@changgu/contract/schemas';
import type { Caller } from '../../caller.ts';
import type { SubmitAccounts } from '../account-runs.ts';

export const caller: Caller = {
  principal: {
    kind: 'client',
    id: 'cli_1',
    organizationId: 1,
    allowedEnvScopes: ['sandbox'],
    integrationProfile: 'standard_external',
    readOnly: false,
    allowedActions: null,
    allowIrreversibleTools: false,
    manageWebhooks: false,
    scopes: null,
  },
  envScope: 'sandbox',
  origin: { traceId: null, address: '127.0.0.1', userAgent: null },
  language: 'ko',
  idempotencyKey: null,
  sandboxOutcome: null,
  toolsets: new Set(),
  stopWaiting: new AbortController().signal,
  stillAdmitted: async () => true,
  onFailure: (failure) => {
    throw failure;
  },
};

type Status = AllAccountsLine['status'];

export function line(account: string, status: Status): AllAccountsLine {
  const isSubmitted = status !== 'NOT_SUBMITTED';
  return {
    account_link_id: 'link',
    bank_account_credential_id: account,
    masked_account_no: '1*1',
    job_id: isSubmitted ? `job of ${account}` : null,
    status,
    reason: isSubmitted ? null : 'over_concurrency_limit',
  };
}

export function response(lines: AllAccountsLine[]): AllAccountsResponse {
  return {
    env_scope: 'sandbox',
    provider: 'bank_c',
    action: 'bank_c.x',
    submitted_at: '2026-11-21T09:00:00.000+09:00',
    account_count: lines.length,
    submitted_count: lines.filter(({ job_id: id }) => id !== null).length,
    accounts: lines,
    next: null,
  };
}

/** Rounds that find only jobs of before. */
export function finding(
  read: (key: string, ids: readonly string[] | null) => Promise<AllAccountsResponse>,
): SubmitAccounts {
  return async (key, ids) => ({ response: await read(key, ids), newJobs: new Set() });
}

export function job(jobId: string, status: JobReadResponse['status']): JobReadResponse {
  return {
    job_id: jobId,
    status,
    env_scope: 'sandbox',
    provider: 'bank_c',
    action: 'bank_c.x',
    submitted_at: '',
    started_at: null,
    finished_at: null,
    retry_count: 0,
    progress: null,
    progress_message: null,
    retry_after_seconds: null,
    error: null,
    had_effect: 'no',
  };
}
