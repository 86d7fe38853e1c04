import type { EnvScope } from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { Submitter } from '../rules/submission/submission.ts';
import {
  type RunAndWaitDependencies,
  type RunAnswer,
  type RunRequest,
  runAndWait,
} from './run-and-wait.ts';

/** A call of a synchronous tax-portal endpoint. */
export interface TaxPortalCall {
  readonly action: CatalogueAction;
  readonly submitter: Submitter;
  readonly envScope: EnvScope;
  /** The params of the action and, beside them, `account_link_id`. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly sandboxOutcome: RunRequest['submission']['sandboxOutcome'];
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal;
}

export interface TaxPortalAnswer {
  readonly hasEnded: boolean;
  readonly replayed: boolean;
  readonly jobId: string;
  readonly answer: Readonly<Record<string, unknown>>;
}

/**
 * Runs the action's job and waits for it.
 * @throws ServiceError as `runAndWait`
 */
export async function runTaxPortal(
  dependencies: RunAndWaitDependencies,
  call: TaxPortalCall,
): Promise<TaxPortalAnswer> {
  const run = await runAndWait(dependencies, requestOf(call));
  const { replayed, jobId } = run;
  return run.kind === 'result'
    ? { hasEnded: true, replayed, jobId, answer: resultAnswer(call.action, run) }
    : { hasEnded: false, replayed, jobId, answer: { job_id: jobId, status: run.status } };
}

function requestOf({
  action,
  submitter,
  envScope,
  input,
  sandboxOutcome,
  ...rest
}: TaxPortalCall): RunRequest {
  const { account_link_id: accountLinkId, ...params } = input;
  return {
    submission: {
      submitter,
      envScope,
      provider: action.provider,
      action: action.id,
      accountLinkId: typeof accountLinkId === 'string' ? accountLinkId : null,
      params,
      encryptedFields: {},
      sandboxOutcome,
    },
    irreversible: action.irreversible,
    ...rest,
  };
}

function resultAnswer(
  { taxPortal }: CatalogueAction,
  { jobId, result }: Extract<RunAnswer, { kind: 'result' }>,
) {
  const { screenId = null, certificateCode = null, envelope = true } = taxPortal ?? {};
  if (!envelope) return { job_id: jobId, ...result.data };
  return {
    success: true,
    job_id: jobId,
    screen_id: screenId,
    ...(certificateCode === null ? {} : { certificate_code: certificateCode }),
    data: result.data ?? null,
    artifacts: result.artifacts,
  };
}
