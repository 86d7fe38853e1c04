import { NEXT_STEP_TERMS, nextStepOf } from '@changgu/contract';
import { credentialAdvice, type RejectedCredential } from '@changgu/contract/catalogue';
import type { JobReadResponse, JobRequestResponse } from '@changgu/contract/schemas';
import { listBankAccounts } from '../credentials/bank-accounts.ts';
import { readAccountLink } from '../credentials/link-records.ts';
import { readJobRequest } from '../jobs/overviews.ts';
import { jobAccess } from '../requests/access.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { LinkRef } from '../store/links/bank-accounts.ts';
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
  const { account_link_id: accountLinkId, provider } = submitted;
  if (accountLinkId === null) return {};
  const credential = {
    institution: institutions.find((one) => one.provider === provider)?.title ?? provider,
    accountLinkId,
    ...(mayReadLinks(principal)
      ? await ownerAndAccount(store, { organizationId, accountLinkId }, submitted.params)
      : {}),
    origin: consoleOrigin(),
  };
  return { user_action: `${step[language]} ${credentialAdvice(credential, language)}` };
}

/** Reading jobs is another scope than reading links, also in what a job says of its link. */
function mayReadLinks({ scopes }: Caller['principal']): boolean {
  return scopes === null || scopes.includes('links:read');
}

/** Without an id in its params, the job used the default account of its link. */
async function ownerAndAccount(
  store: McpDependencies['store'],
  { organizationId, accountLinkId }: LinkRef,
  params: JobRequestResponse['params'],
): Promise<Pick<RejectedCredential, 'owner' | 'account'>> {
  const link = await orNull(readAccountLink(store, accountLinkId, organizationId));
  const accounts = await orNull(listBankAccounts(store, organizationId, accountLinkId));
  const id: unknown = Reflect.get(params, 'bank_account_credential_id');
  const account = accounts?.items.find((one) =>
    typeof id === 'string' ? one.bank_account_credential_id === id : one.is_default,
  );
  return {
    owner: link?.business_name ?? link?.display_label,
    account: account?.masked_account_no,
  };
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
