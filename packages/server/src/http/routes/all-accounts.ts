import { operations } from '@changgu/contract/schemas';
import {
  type AllAccountsDependencies,
  submitAllAccounts,
} from '../../jobs/all-accounts/submit-all-accounts.ts';
import { submitterOf } from '../../requests/submitter.ts';
import type { HttpApp } from '../app.ts';
import type { JobDeprecation } from '../deprecation.ts';
import { route } from '../route.ts';
import { sandboxOutcomeOf } from '../sandbox-outcome.ts';

export interface AllAccountsRouteDependencies extends AllAccountsDependencies {
  readonly deprecationOf: JobDeprecation;
}

/** One job per bank account, in a single call. */
export function allAccountsRoute(app: HttpApp, dependencies: AllAccountsRouteDependencies): void {
  route(app, operations.jobs.submitAllAccounts, async (request) => {
    const { principal, envScope, idempotencyKey, body, language } = request;
    const { accepted, response } = await submitAllAccounts(dependencies, {
      submitter: submitterOf(principal, request.origin),
      envScope,
      idempotencyKey,
      provider: body.provider,
      action: body.action,
      accountLinkId: body.account_link_id ?? null,
      bankAccountCredentialIds: body.bank_account_credential_ids ?? null,
      params: body.params ?? {},
      sandboxOutcome: sandboxOutcomeOf(request.headers),
      language,
    });
    // Lines are accepted together: the first speaks for all but those of an earlier round.
    const jobId = response.accounts.find(({ job_id }) => job_id !== null)?.job_id ?? null;
    const headers = await dependencies.deprecationOf(jobId);
    if (accepted) return { status: 202, body: response, headers };
    const replay = response.next === null ? { 'idempotent-replayed': 'true' } : {};
    return { status: 200, body: response, headers: { ...replay, ...headers } };
  });
}
