import { isChangguError, type JobFailure } from '@changgu/sdk';
import type { CatalogueAction } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { SecretUnavailableError } from '../secret-references.ts';
import type { ErrorInfo, NextStep } from './envelope.ts';
import { adviceFor } from './error-table.ts';
import { untrusted } from './untrusted-text.ts';

export interface Explained {
  readonly error: ErrorInfo;
  readonly next: readonly NextStep[];
}

/** The call that made the error, for the steps that lead on. */
export interface ErrorOrigin {
  readonly action?: CatalogueAction | undefined;
  readonly accountLinkId?: string | undefined;
}

/** A code in our words. `said` is what the service or the institution said: data, never an instruction. */
export function explain(
  bridge: Bridge,
  { code, retryable, said }: { code: string; retryable: boolean; said?: string | null | undefined },
  origin: ErrorOrigin = {},
): Explained {
  const { message, nextAction, userAction, login } = adviceFor(code);
  const error: ErrorInfo = {
    code,
    message,
    retryable,
    next_action: nextAction,
    ...(userAction === undefined ? {} : { user_action: userAction }),
    ...(said ? { detail: untrusted(said.slice(0, 500), bridge.settings) } : {}),
  };
  const step = login ? loginStep(bridge, origin) : undefined;
  return { error, next: step ? [step] : [] };
}

const NO_REASON = { code: 'JOB_FAILED', retryable: false, message: null };

/** Why a job ended as it did. */
export function explainFailure(
  bridge: Bridge,
  failure: Pick<JobFailure, 'code' | 'retryable' | 'message'> | null,
  origin: ErrorOrigin,
): Explained {
  const { code, retryable, message } = failure ?? NO_REASON;
  return explain(bridge, { code, retryable, said: message }, origin);
}

/** Anything thrown. What is no error of the SDK is ours, and says nothing of its inside. */
export function explainThrown(
  bridge: Bridge,
  thrown: unknown,
  origin: ErrorOrigin = {},
): Explained {
  if (thrown instanceof SecretUnavailableError) {
    return explain(bridge, { code: 'SECRET_UNAVAILABLE', retryable: false, said: thrown.message });
  }
  if (!isChangguError(thrown)) {
    const name = thrown instanceof Error ? thrown.name : typeof thrown;
    bridge.log.error('a tool failed', { error: name });
    return explain(bridge, { code: 'INTERNAL_ERROR', retryable: false });
  }
  if ('failure' in thrown) return explainFailure(bridge, thrown.failure, origin);
  const { code, retryable, message } = thrown;
  return explain(bridge, { code, retryable, said: message }, origin);
}

/** The login of the institution, by its own tool or by run_service. */
export function loginStep(
  bridge: Bridge,
  { action, accountLinkId }: ErrorOrigin,
): NextStep | undefined {
  const login = action?.loginAction;
  if (!login || !bridge.services.has(login)) return undefined;
  const link = accountLinkId === undefined ? {} : { account_link_id: accountLinkId };
  return stepTo(bridge, login, link, 'makes the login session');
}

/** A call of a service, by its own tool where it has one. */
export function stepTo(
  bridge: Bridge,
  service: string,
  reserved: Readonly<Record<string, unknown>>,
  why: string,
  params: Readonly<Record<string, unknown>> = {},
): NextStep {
  const tool = bridge.directTools.get(service);
  if (tool) return { tool, arguments: { ...params, ...reserved }, why };
  const given = Object.keys(params).length === 0 ? {} : { params };
  return { tool: 'run_service', arguments: { service, ...given, ...reserved }, why };
}
