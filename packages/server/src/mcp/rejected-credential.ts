import { NEXT_STEP_TERMS, nextStepOf } from '@changgu/contract';
import { credentialAdvice } from '@changgu/contract/catalogue';
import type { JobReadResponse } from '@changgu/contract/schemas';
import { listBankAccounts } from '../credentials/bank-accounts.ts';
import { readAccountLink } from '../credentials/link-records.ts';
import { readJobRequest } from '../jobs/overviews.ts';
import { jobAccess } from '../requests/access.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';

/**
 * What a person has to correct after a job that failed by its credential: link, account and page of the console. Empty
 * for any other failure.
 */
export async function rejectedCredential(
  {
    store,
    institutions,
    consoleOrigin,
  }: Pick<McpDependencies, 'store' | 'institutions' | 'consoleOrigin'>,
  { principal, envScope, language }: Caller,
  {
    job_id: jobId,
    error,
    had_effect: hadEffect,
  }: Pick<JobReadResponse, 'job_id' | 'error' | 'had_effect'>,
): Promise<{ readonly user_action?: string }> {
  if (error === null) return {};
  const { code, retryable } = error;
  const step = nextStepOf({ code, retryable, hadEffect }, NEXT_STEP_TERMS.tool);
  if (step.kind !== 'fix_credential') return {};
  const { organizationId } = principal;
  const submitted = await readJobRequest(store, jobAccess(principal, envScope), jobId);
  const { account_link_id: accountLinkId, provider, params } = submitted;
  if (accountLinkId === null) return {};
  const link = await orNull(readAccountLink(store, accountLinkId, organizationId));
  const id: unknown = Reflect.get(params, 'bank_account_credential_id');
  const accounts = await orNull(listBankAccounts(store, organizationId, accountLinkId));
  const account = accounts?.items.find((one) =>
    typeof id === 'string' ? one.bank_account_credential_id === id : one.is_default,
  );
  const credential = {
    institution: institutions.find((one) => one.provider === provider)?.title ?? provider,
    accountLinkId,
    owner: link?.business_name ?? link?.display_label,
    account: account?.masked_account_no,
    origin: consoleOrigin(),
  };
  return { user_action: `${step[language]} ${credentialAdvice(credential, language)}` };
}

/** The link or its accounts may be gone by now; the failure itself is told all the same. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}
