import {
  ERRORS,
  type ErrorCode,
  isErrorCode,
  type KnownFailure,
  NEXT_STEP_TERMS,
  nextStepOf,
} from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { JobReadResponse, McpErrorData } from '@changgu/contract/schemas';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Language } from '../../requests/language.ts';
import type { ServiceError } from '../../rules/service-error.ts';
import { toolNameOf } from './tool-names.ts';

/** JSON-RPC code of this service's own refusals. */
const SERVICE_REFUSED = -32_001;

/** What a job that did not succeed says. */
export interface ToolJobError {
  readonly code: string;
  readonly message: string | null;
  readonly safe_to_retry: boolean;
  readonly next_action: string;
}

/** A call that may be made: the tool and its arguments. */
export interface NextStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * A refusal of the service as a JSON-RPC error (D134).
 * @param again the same call with the same key; said where it is safe to make it
 */
export function protocolErrorOf(
  error: ServiceError,
  language: Language,
  again: NextStep | null = null,
): ProtocolError {
  const { fields } = error.details;
  const data: Omit<McpErrorData, 'next_step'> & { next_step?: NextStep; fields?: typeof fields } = {
    error_code: error.code,
    safe_to_retry: error.retryable,
    next_action: nextAction(error, language),
    ...(again !== null && error.retryable ? { next_step: again } : {}),
    ...(fields === undefined ? {} : { fields }),
  };
  return new ProtocolError(rpcCodeOf(error.code), error.text(language), data);
}

function rpcCodeOf(code: ErrorCode): number {
  if (code === 'INTERNAL_ERROR') return ProtocolErrorCode.InternalError;
  const isAboutArguments =
    code.startsWith('VALIDATION_') ||
    code.startsWith('ACCOUNT_LINK_') ||
    code.endsWith('_NOT_FOUND');
  return isAboutArguments ? ProtocolErrorCode.InvalidParams : SERVICE_REFUSED;
}

/** The error of a job that ended FAILED or TIMEOUT; `error` is null for CANCELED, which has none (D134). */
export function jobErrorOf(
  { error, had_effect: hadEffect }: Pick<JobReadResponse, 'error' | 'had_effect'>,
  action: CatalogueAction | undefined,
  language: Language,
): ToolJobError {
  const code = error?.code ?? 'JOB_CANCELED';
  const known = isErrorCode(code) ? ERRORS[code] : null;
  const retryable = error?.retryable ?? known?.retryable ?? false;
  const safeToRetry = retryable && action?.irreversible !== true;
  return {
    code,
    message: error?.message ?? known?.[language] ?? null,
    safe_to_retry: safeToRetry,
    next_action: nextAction(
      { code, retryable: safeToRetry, hadEffect },
      language,
      action?.loginAction,
    ),
  };
}

/** The contract's next step, the login by the name of its tool, so that a model can call it. */
function nextAction(
  failure: KnownFailure,
  language: Language,
  loginAction: string | null = null,
): string {
  const login = loginAction === null ? undefined : toolNameOf(loginAction);
  return nextStepOf(failure, { ...NEXT_STEP_TERMS.tool, login })[language];
}
