import { type ErrorCode, type KnownFailure, NEXT_STEP_TERMS, nextStepOf } from '@changgu/contract';
import { type CatalogueAction, maskNumbers, type UntrustedText } from '@changgu/contract/catalogue';
import { ERRORS, isErrorCode } from '@changgu/contract/errors';
import type { JobReadResponse, McpErrorData } from '@changgu/contract/schemas';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Language } from '../../requests/language.ts';
import type { FieldViolation, ServiceError } from '../../rules/service-error.ts';
import { toolResult } from './tool-result.ts';

/** The JSON-RPC code of this service's own errors. */
const SERVICE_REFUSED = -32_001;

/** The error of a job that did not succeed. */
export interface ToolJobError {
  readonly code: string;
  /** From our own table. */
  readonly message: string;
  /** What the job says beyond that. */
  readonly detail?: UntrustedText;
  readonly safe_to_retry: boolean;
  readonly next_action: string;
  /** What only a person can do, to be passed on to them. */
  readonly user_action?: string;
}

/** A suggested call: the tool and its arguments. */
export interface NextStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * An error of the service as a JSON-RPC error.
 * @param again the same call with the same key; included when it is safe to repeat
 */
export function protocolErrorOf(
  error: ServiceError,
  language: Language,
  again: NextStep | null = null,
): ProtocolError {
  const { fields } = error.details;
  const data: Omit<McpErrorData, 'next_step' | 'fields'> & {
    next_step?: NextStep;
    fields?: typeof fields;
  } = {
    error_code: error.code,
    safe_to_retry: error.retryable,
    next_action: nextAction(error, language),
    ...(again !== null && error.retryable ? { next_step: again } : {}),
    ...(fields === undefined ? {} : { fields }),
  };
  return new ProtocolError(rpcCodeOf(error.code), error.text(language), data);
}

/** The errors that the specification assigns to the protocol; all others are results that a model reads. */
const PROTOCOL_REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  'POLICY_QUOTA_EXCEEDED',
  'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
  'BANK_ACCOUNT_PARENT_NOT_FOUND',
]);

/**
 * An error as the model reads it: which field is wrong and how, and what to do.
 * @throws ProtocolError where the specification assigns it to the protocol
 */
export function refusalOf(
  error: ServiceError,
  language: Language,
  again: NextStep | null,
): CallToolResult {
  if (PROTOCOL_REFUSALS.has(error.code)) throw protocolErrorOf(error, language, again);
  const fields = (error.details.fields ?? []).map(({ loc, msg }) => ({
    field: fieldOf(loc),
    problem: msg,
  }));
  const problems = fields.map(({ field, problem }) => `${field}: ${problem}`).join('; ');
  const next_action = nextAction(error, language);
  const { retryAfterSeconds: seconds } = error.details;
  const wait = seconds === undefined ? '' : WAIT[language](seconds);
  const message = [error.text(language), problems, wait].filter(Boolean).join(' ');
  const shown = {
    code: error.code,
    message,
    safe_to_retry: error.retryable,
    next_action,
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
    ...(fields.length === 0 ? {} : { fields }),
  };
  const next = again !== null && error.retryable ? { next_step: again } : {};
  return toolResult(
    { status: 'REFUSED', error: shown, ...next },
    `${error.code}: ${message} ${next_action}`,
  );
}

/** A model names an argument without the object that it is in, and one of its own may be called `arguments` too. */
function fieldOf(loc: FieldViolation['loc']): string {
  const [place, ...inside] = loc;
  return (place === 'arguments' && inside.length > 0 ? inside : loc).join('.');
}

const WAIT = {
  ko: (seconds: number) => `${seconds}초 뒤에 다시 호출할 수 있습니다.`,
  en: (seconds: number) => `Call again in ${seconds} seconds.`,
};

function rpcCodeOf(code: ErrorCode): number {
  if (code === 'INTERNAL_ERROR') return ProtocolErrorCode.InternalError;
  const isAboutArguments =
    code.startsWith('VALIDATION_') ||
    code.startsWith('ACCOUNT_LINK_') ||
    code.endsWith('_NOT_FOUND');
  return isAboutArguments ? ProtocolErrorCode.InvalidParams : SERVICE_REFUSED;
}

/**
 * The error of a job that ended FAILED or TIMEOUT; `error` is null for CANCELED, which has none.
 * @param login how the caller calls the institution's login; null for none
 */
export function toolJobErrorOf(
  { error, had_effect: hadEffect }: Pick<JobReadResponse, 'error' | 'had_effect'>,
  action: CatalogueAction | undefined,
  language: Language,
  login: string | null,
): ToolJobError {
  const code = error?.code ?? 'JOB_CANCELED';
  const known = isErrorCode(code) ? ERRORS[code] : null;
  const retryable = error?.retryable ?? known?.retryable ?? false;
  const safeToRetry = retryable && action?.irreversible !== true;
  return {
    code,
    message: known?.[language] ?? FAILED[language],
    ...detailOf(error?.message ?? null, known),
    safe_to_retry: safeToRetry,
    next_action: nextAction({ code, retryable: safeToRetry, hadEffect }, language, login),
  };
}

const FAILED = { ko: '작업이 실패했습니다.', en: 'The job failed.' };

/** What is not in our table may be the institution's own sentence: marked, its numbers masked. */
function detailOf(
  said: string | null,
  known: Readonly<Record<Language, string>> | null,
): Pick<ToolJobError, 'detail'> {
  if (said === null || said === known?.ko || said === known?.en) return {};
  return { detail: { untrusted_text: maskNumbers(said).slice(0, MAX_DETAIL_CHARACTERS) } };
}

const MAX_DETAIL_CHARACTERS = 500;

/** The contract's next step, naming the login's call, so that a model can make it. */
function nextAction(
  failure: KnownFailure,
  language: Language,
  login: string | null = null,
): string {
  return nextStepOf(failure, { ...NEXT_STEP_TERMS.tool, login: login ?? undefined })[language];
}
