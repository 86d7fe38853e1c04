import { both, defineErrors, job } from './define-errors.ts';

/** What an institution answered, or did not (spec "Errors"; D50–D52, D141). */
export const INSTITUTION_ERRORS = defineErrors({
  AUTH_REQUIRED: {
    status: 409,
    retryable: true,
    where: both,
    ko: '기관 로그인 세션이 없습니다. 로그인 작업을 먼저 실행하십시오.',
    en: 'There is no login session at the institution. Call its login action first.',
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
});
