/** Where an error code can appear: as an HTTP answer, in `job.error`, or only in the tool protocol. */
export type ErrorSurface = 'http' | 'job' | 'tool';

export interface ErrorDefinition {
  /** HTTP status when the code answers a request; null when it only ever stands in `job.error`. */
  readonly status: number | null;
  /** May the same work be tried again (with a new Idempotency-Key)? Irreversible actions override this to false. */
  readonly retryable: boolean;
  readonly where: readonly ErrorSurface[];
  readonly ko: string;
  readonly en: string;
}

function define<const Table extends Record<string, ErrorDefinition>>(table: Table): Table {
  return table;
}

const http = ['http'] as const;
const job = ['job'] as const;
const both = ['http', 'job'] as const;

/**
 * Every error code of the service, once (spec "Errors"; D47–D53, D141, D148).
 * VALIDATION_INVALID_FIELD answers 422 for shape and 400 for meaning; its row holds the 422.
 */
export const ERRORS = define({
  VALIDATION_INVALID_FIELD: {
    status: 422,
    retryable: false,
    where: both,
    ko: '입력값이 올바르지 않습니다.',
    en: 'The request has an invalid field.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    retryable: false,
    where: http,
    ko: 'Idempotency-Key 헤더가 필요합니다.',
    en: 'The Idempotency-Key header is required.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 409,
    retryable: false,
    where: http,
    ko: '이 Idempotency-Key는 이미 다른 요청에 사용되었습니다. 새 키를 사용하십시오.',
    en: 'This Idempotency-Key was already used for a different request. Use a new key.',
  },
  POLICY_QUOTA_EXCEEDED: {
    status: 429,
    retryable: true,
    where: http,
    ko: '사용 토큰 한도를 초과했습니다.',
    en: 'The usage-token quota is exhausted.',
  },
  POLICY_PAID_REQUIRED: {
    status: 402,
    retryable: false,
    where: http,
    ko: '유료 요금제가 필요합니다.',
    en: 'A paid plan is required.',
  },
  POLICY_ENV_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    where: http,
    ko: '이 키로는 요청한 환경을 사용할 수 없습니다.',
    en: 'This key may not use the requested environment.',
  },
  POLICY_ENV_NOT_APPROVED: {
    status: 403,
    retryable: false,
    where: http,
    ko: '데모 환경 사용이 승인되지 않았습니다. 환경 사용 신청을 먼저 해 주십시오.',
    en: 'The organization is not approved for real_test. Submit an environment-access request first.',
  },
  POLICY_CONSENT_REQUIRED: {
    status: 403,
    retryable: false,
    where: http,
    ko: '필수 동의가 철회되어 새 작업을 접수할 수 없습니다.',
    en: 'A required consent was revoked; new jobs are not accepted until it is granted again.',
  },
  POLICY_LIMIT_REACHED: {
    status: 409,
    retryable: false,
    where: http,
    ko: '보유할 수 있는 최대 개수에 도달했습니다.',
    en: 'The maximum number of these has been reached.',
  },
  POLICY_TOOL_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    where: http,
    ko: '이 키로는 이 업무를 실행할 수 없습니다.',
    en: 'This key may not run this action.',
  },
  AUTH_INVALID_CREDENTIALS: {
    status: 401,
    retryable: false,
    where: http,
    ko: '인증 정보가 올바르지 않습니다.',
    en: 'The credentials are not valid.',
  },
  AUTH_FORBIDDEN_PRINCIPAL: {
    status: 403,
    retryable: false,
    where: http,
    ko: '이 인증 수단으로는 호출할 수 없는 작업입니다.',
    en: 'This kind of principal may not call this operation.',
  },
  AUTH_REQUIRED: {
    status: 409,
    retryable: true,
    where: both,
    ko: '기관 로그인 세션이 없습니다. 로그인 작업을 먼저 실행하십시오.',
    en: 'There is no login session at the institution. Call its login action first.',
  },
  BANK_ACCOUNT_CREDENTIAL_NOT_FOUND: {
    status: 404,
    retryable: false,
    where: http,
    ko: '사용할 수 있는 계좌를 찾을 수 없습니다.',
    en: 'No such active bank account.',
  },
  BANK_ACCOUNT_PARENT_NOT_FOUND: {
    status: 404,
    retryable: false,
    where: http,
    ko: '은행 연결을 찾을 수 없습니다.',
    en: 'No such active link of this bank.',
  },
  ACCOUNT_LINK_REQUIRED: {
    status: 400,
    retryable: false,
    where: http,
    ko: '등록된 연결이 둘 이상입니다. account_link_id를 지정하십시오.',
    en: 'More than one link is registered for this provider. Send account_link_id.',
  },
  ACCOUNT_LINK_NOT_FOUND: {
    status: 404,
    retryable: false,
    where: http,
    ko: '연결을 찾을 수 없습니다.',
    en: 'No such active account link.',
  },
  CREDENTIAL_CONFIRM_REQUIRED: {
    status: 409,
    retryable: false,
    where: http,
    ko: '이미 등록된 아이디의 비밀번호가 다릅니다. 변경하려면 confirm을 true로 보내십시오.',
    en: 'The id is already registered with another password. Send confirm: true to change it.',
  },
  CREDENTIAL_INVALID: {
    status: 422,
    retryable: false,
    where: both,
    ko: '인증서 또는 자격 증명을 사용할 수 없습니다.',
    en: 'The certificate or credential cannot be used.',
  },
  CONSENT_STATE_INVALID: {
    status: 400,
    retryable: false,
    where: http,
    ko: '동의 절차의 state가 유효하지 않습니다. 동의 절차를 다시 시작하십시오.',
    en: 'The consent state is not valid. Start the consent flow again.',
  },
  CONSENT_REQUIRED: {
    status: 400,
    retryable: false,
    where: http,
    ko: '이용약관과 개인정보 처리방침에 동의해야 합니다.',
    en: 'The terms and the privacy policy must be agreed to.',
  },
  HANDOFF_TOKEN_INVALID: {
    status: 400,
    retryable: false,
    where: http,
    ko: '인계 토큰이 유효하지 않습니다.',
    en: 'The handoff token is not valid.',
  },
  EMAIL_ALREADY_REGISTERED: {
    status: 409,
    retryable: false,
    where: http,
    ko: '이미 등록된 이메일입니다.',
    en: 'This e-mail address is already registered.',
  },
  PASSWORD_POLICY: {
    status: 400,
    retryable: false,
    where: http,
    ko: '비밀번호는 10자 이상이어야 하며 이메일과 달라야 합니다.',
    en: 'A password needs at least 10 characters and must differ from the e-mail address.',
  },
  PASSWORD_MISMATCH: {
    status: 400,
    retryable: false,
    where: http,
    ko: '현재 비밀번호가 일치하지 않습니다.',
    en: 'The current password does not match.',
  },
  DELETION_REQUEST_EXISTS: {
    status: 409,
    retryable: false,
    where: http,
    ko: '이미 접수된 탈퇴 신청이 있습니다.',
    en: 'There is already an open deletion request.',
  },
  REVOKED_REASON_MISSING: {
    status: 400,
    retryable: false,
    where: http,
    ko: 'revoked_reason이 필요합니다.',
    en: 'revoked_reason is required.',
  },
  REVOKED_REASON_FORBIDDEN: {
    status: 403,
    retryable: false,
    where: http,
    ko: '허용되지 않는 revoked_reason입니다.',
    en: 'This revoked_reason is not allowed.',
  },
  JOB_NOT_FOUND: {
    status: 404,
    retryable: false,
    where: http,
    ko: '작업을 찾을 수 없습니다.',
    en: 'No such job.',
  },
  JOB_NOT_SUCCEEDED: {
    status: 409,
    retryable: false,
    where: http,
    ko: '작업이 성공 상태가 아니므로 결과를 읽을 수 없습니다.',
    en: 'The job has not succeeded, so it has no result.',
  },
  JOB_ALREADY_FINISHED: {
    status: 409,
    retryable: false,
    where: http,
    ko: '이미 끝난 작업입니다.',
    en: 'The job has already finished.',
  },
  JOB_NOT_CANCELABLE: {
    status: 409,
    retryable: false,
    where: http,
    ko: '기관에 제출된 뒤에는 취소할 수 없습니다.',
    en: 'The job has been submitted to the institution and can no longer be cancelled.',
  },
  JOB_TIMEOUT: {
    status: 504,
    retryable: true,
    where: both,
    ko: '제한 시간 안에 끝나지 않았습니다.',
    en: 'The job did not finish in the allotted time.',
  },
  JOB_WORKER_LOST: {
    status: null,
    retryable: true,
    where: job,
    ko: '처리 중이던 작업자가 응답하지 않아 작업을 끝내지 못했습니다.',
    en: 'The worker processing the job was lost.',
  },
  JOB_CANCELED: {
    status: null,
    retryable: true,
    where: ['tool'],
    ko: '작업이 취소되었습니다.',
    en: 'The job was cancelled.',
  },
  ENCRYPTED_FIELD_DECRYPT_FAILED: {
    status: null,
    retryable: false,
    where: job,
    ko: '암호화된 값을 복호화할 수 없습니다. 현재 공개키로 다시 암호화하십시오.',
    en: 'An encrypted field cannot be decrypted. Encrypt it again with the current public key.',
  },
  ENCRYPTED_FIELD_DUPLICATE: {
    status: null,
    retryable: false,
    where: job,
    ko: '같은 이름이 params와 encrypted_fields에 모두 있습니다.',
    en: 'The same name stands in both params and encrypted_fields.',
  },
  PROVIDER_AUTH_FAILED: {
    status: 409,
    retryable: true,
    where: both,
    ko: '기관 인증이 만료되었습니다. 다시 로그인하십시오.',
    en: 'The authentication at the institution expired. Call its login action again.',
  },
  PROVIDER_CREDENTIAL_REJECTED: {
    status: 409,
    retryable: false,
    where: both,
    ko: '기관이 아이디, 비밀번호 또는 인증서를 거절했습니다. 자격 증명을 고친 뒤 다시 시도하십시오.',
    en: 'The institution rejected the id, password or certificate. Replace the credential first.',
  },
  PROVIDER_ACCOUNT_LOCKED: {
    status: 409,
    retryable: false,
    where: both,
    ko: '기관에서 계정이 잠겼습니다. 기관에서 잠금을 해제하십시오.',
    en: 'The account is locked at the institution. Unlock it there first.',
  },
  PROVIDER_MAINTENANCE: {
    status: 503,
    retryable: true,
    where: both,
    ko: '기관이 점검 중입니다. 잠시 후 다시 시도하십시오.',
    en: 'The institution is under maintenance. Try again later.',
  },
  PROVIDER_UPSTREAM_ERROR: {
    status: 502,
    retryable: true,
    where: both,
    ko: '기관의 응답이 지연되거나 올바르지 않습니다. 잠시 후 다시 시도하십시오.',
    en: 'The institution answered late or wrongly. Try again later.',
  },
  PROVIDER_VALIDATION_ERROR: {
    status: 422,
    retryable: false,
    where: both,
    ko: '기관이 입력값을 거절했습니다.',
    en: 'The institution rejected a parameter value.',
  },
  PROVIDER_SESSION_EXPIRED: {
    status: 409,
    retryable: true,
    where: both,
    ko: '기관 로그인 세션이 만료되었습니다. 같은 account_link_id로 로그인 작업을 먼저 실행하십시오.',
    en: 'The session at the institution expired. Call its login action with the same account_link_id.',
  },
  PROVIDER_OUTCOME_UNCONFIRMED: {
    status: 502,
    retryable: false,
    where: both,
    ko: '처리 결과를 확인하지 못했습니다. 다시 제출하지 말고 기관 화면에서 먼저 확인하십시오.',
    en: 'The outcome is unknown. Do not submit again; check at the institution first.',
  },
  PROVIDER_NOT_CONFIGURED: {
    status: 503,
    retryable: false,
    where: both,
    ko: '이 환경에 기관 주소가 설정되어 있지 않습니다.',
    en: 'No address is configured for this institution in this environment.',
  },
  EMPLOYMENT_LOGIN_FAILED: {
    status: null,
    retryable: true,
    where: job,
    ko: '고용 포털 로그인에 실패했습니다. 인증서 등록과 포털 가입을 확인하십시오.',
    en: 'The login at the employment portal failed. Check the certificate and the portal membership.',
  },
  EMPLOYMENT_SESSION_SAVE_FAILED: {
    status: null,
    retryable: true,
    where: job,
    ko: '고용 포털 세션을 저장하지 못했습니다.',
    en: 'The employment portal session could not be saved.',
  },
  ARTIFACT_NOT_FOUND: {
    status: 404,
    retryable: false,
    where: http,
    ko: '파일을 찾을 수 없습니다.',
    en: 'No such artifact.',
  },
  ARTIFACT_EXPIRED: {
    status: 410,
    retryable: false,
    where: http,
    ko: '보관 기간이 지나 파일을 내려받을 수 없습니다.',
    en: 'The artifact is past its retention and can no longer be downloaded.',
  },
  ARTIFACT_URL_EXPIRED: {
    status: 403,
    retryable: false,
    where: http,
    ko: '내려받기 주소가 유효하지 않거나 만료되었습니다. 결과를 다시 읽으면 새 주소를 받을 수 있습니다.',
    en: 'The download URL is not valid or has expired. Read the result again for a new one.',
  },
  PRODUCT_RETIRED: {
    status: 410,
    retryable: false,
    where: http,
    ko: '제공이 종료된 상품입니다.',
    en: 'This product is retired.',
  },
  CONFLICT_DUPLICATE: {
    status: 409,
    retryable: false,
    where: http,
    ko: '이미 존재합니다.',
    en: 'It already exists.',
  },
  CONFLICT_STATE: {
    status: 409,
    retryable: false,
    where: http,
    ko: '현재 상태에서는 할 수 없는 작업입니다.',
    en: 'This is not possible in the current state.',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    retryable: false,
    where: http,
    ko: '찾을 수 없습니다.',
    en: 'Not found.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    where: http,
    ko: '허용되지 않는 메서드입니다.',
    en: 'This method is not allowed here.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retryable: false,
    where: http,
    ko: '요청 본문이 너무 큽니다.',
    en: 'The request body is too large.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    where: http,
    ko: 'Content-Type은 application/json이어야 합니다.',
    en: 'The Content-Type must be application/json.',
  },
  RATE_LIMITED: {
    status: 429,
    retryable: true,
    where: http,
    ko: '요청이 너무 많습니다. 잠시 후 다시 시도하십시오.',
    en: 'Too many requests. Try again later.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    where: http,
    ko: '서비스를 잠시 사용할 수 없습니다.',
    en: 'The service is temporarily unavailable.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    where: both,
    ko: '내부 오류가 발생했습니다.',
    en: 'An internal error occurred.',
  },
});

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Is this string a code of the table? Codes from a newer server may not be. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
