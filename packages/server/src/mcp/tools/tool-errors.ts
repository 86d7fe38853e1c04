import { ERRORS, type ErrorCode, isErrorCode } from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { JobError, McpErrorData } from '@changgu/contract/schemas';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Language } from '../../requests/language.ts';
import type { ServiceError } from '../../rules/service-error.ts';
import { toolNameOf } from './tool-names.ts';

/** Of this service's own refusals (spec "MCP envelope"). */
const SERVICE_REFUSED = -32_001;

/** What a job that did not succeed says (spec L399). */
export interface ToolJobError {
  readonly code: string;
  readonly message: string | null;
  readonly safe_to_retry: boolean;
  readonly next_action: string | null;
}

/** A call that may be made: the tool and its arguments. */
export interface NextStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * A refusal of the service as a JSON-RPC error (spec "Tool protocol errors", D134).
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
    next_action: nextAction(error.code, null, language),
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
  error: JobError | null,
  action: CatalogueAction | undefined,
  language: Language,
): ToolJobError {
  const code = error?.code ?? 'JOB_CANCELED';
  const known = isErrorCode(code) ? ERRORS[code] : null;
  const retryable = error?.retryable ?? known?.retryable ?? false;
  return {
    code,
    message: error?.message ?? known?.[language] ?? null,
    safe_to_retry: retryable && action?.irreversible !== true,
    next_action: nextAction(code, action?.loginAction ?? null, language),
  };
}

/** Codes that a login at the institution settles. */
const LOGIN_FIRST = new Set(['AUTH_REQUIRED', 'PROVIDER_AUTH_FAILED', 'PROVIDER_SESSION_EXPIRED']);

/** One sentence on what to do next; the login tool by its name, so that a model can call it. */
function nextAction(code: string, loginAction: string | null, language: Language): string | null {
  if (loginAction !== null && LOGIN_FIRST.has(code)) {
    const tool = toolNameOf(loginAction);
    return {
      ko: `먼저 같은 account_link_id로 ${tool} 도구를 호출한 다음, 새 request_id로 이 도구를 다시 호출해 주십시오.`,
      en: `Call ${tool} with the same account_link_id first, then this tool again with a new request_id.`,
    }[language];
  }
  return NEXT_ACTIONS[code]?.[language] ?? null;
}

const FIX_INPUT = {
  ko: '입력값을 고친 다음 새 request_id로 다시 호출해 주십시오.',
  en: 'Correct the arguments and call again with a new request_id.',
};

const CHANGE_CREDENTIAL = {
  ko: '다시 시도하지 말고, 사용자에게 콘솔에서 인증정보를 고쳐 달라고 알려 주십시오.',
  en: 'Do not try again. Ask the user to correct the credential in the console.',
};

const TRY_LATER = {
  ko: '잠시 기다린 다음 새 request_id로 다시 호출해 주십시오.',
  en: 'Wait a while and call again with a new request_id.',
};

const REGISTER_ACCOUNT = {
  ko: '등록된 연결과 계좌인지 확인하고, 없으면 사용자에게 콘솔에서 먼저 등록해 달라고 알려 주십시오.',
  en: 'Check that link and account are registered; if not, ask the user to register them in the console first.',
};

const NEXT_ACTIONS: Readonly<Partial<Record<string, Readonly<Record<Language, string>>>>> = {
  VALIDATION_INVALID_FIELD: FIX_INPUT,
  PROVIDER_VALIDATION_ERROR: FIX_INPUT,
  PROVIDER_CREDENTIAL_REJECTED: CHANGE_CREDENTIAL,
  PROVIDER_ACCOUNT_LOCKED: CHANGE_CREDENTIAL,
  PROVIDER_UPSTREAM_ERROR: TRY_LATER,
  PROVIDER_MAINTENANCE: TRY_LATER,
  JOB_TIMEOUT: TRY_LATER,
  JOB_WORKER_LOST: TRY_LATER,
  JOB_CANCELED: {
    ko: '사용자가 원하는 경우에만 새 request_id로 다시 호출해 주십시오.',
    en: 'Call again with a new request_id only when the user wants it.',
  },
  PROVIDER_OUTCOME_UNCONFIRMED: {
    ko: '다시 호출하지 말고, 기관 화면에서 처리 여부를 먼저 확인해야 한다고 사용자에게 알려 주십시오.',
    en: 'Do not call again. Tell the user to check at the institution first.',
  },
  ACCOUNT_LINK_REQUIRED: {
    ko: '사용할 연결을 account_link_id로 지정해 주십시오.',
    en: 'Name the link to use in account_link_id.',
  },
  ACCOUNT_LINK_NOT_FOUND: {
    ko: '사용자에게 콘솔에서 기관 인증정보를 먼저 등록해 달라고 알려 주십시오.',
    en: 'Ask the user to register a credential of the institution in the console first.',
  },
  BANK_ACCOUNT_CREDENTIAL_NOT_FOUND: REGISTER_ACCOUNT,
  BANK_ACCOUNT_PARENT_NOT_FOUND: REGISTER_ACCOUNT,
  IDEMPOTENCY_KEY_CONFLICT: {
    ko: '다른 내용의 호출이면 새 request_id를 보내 주십시오.',
    en: 'For a different call send a new request_id.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    ko: 'request_id에 UUID를 넣어 다시 호출해 주십시오.',
    en: 'Call again with a UUID as request_id.',
  },
};
