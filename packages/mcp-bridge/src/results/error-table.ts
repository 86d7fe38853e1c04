/** What a code means and what to do about it, in our own words. */
export interface ErrorAdvice {
  readonly message: string;
  readonly nextAction: string;
  /** What a person has to do, in words for them. */
  readonly userAction?: string;
  /** The login service of the institution is the next call. */
  readonly login?: true;
}

const LOGIN: ErrorAdvice = {
  message: 'There is no valid login session at the institution.',
  nextAction: 'Call the login service of this institution, then repeat this call.',
  login: true,
};
const FIX_ARGUMENTS: ErrorAdvice = {
  message: 'An argument is not valid.',
  nextAction: 'Correct the arguments (describe_service shows them) and call again.',
};
const NO_KEY: ErrorAdvice = {
  message: 'The bridge has no valid client key.',
  nextAction: 'Tell the person what user_action says, then call session_status.',
  userAction: '터미널에서 `changgu login`을 실행해 클라이언트 키를 등록해 주십시오.',
};
const LATER: ErrorAdvice = {
  message: 'The institution or the service is not answering properly now.',
  nextAction: 'Repeat the call later with a new request_id.',
};
const CREDENTIAL: ErrorAdvice = {
  message: 'The institution rejected the registered credential.',
  nextAction: 'Do not repeat the call. Tell the person what user_action says.',
  userAction: '기관에 등록한 인증서 또는 비밀번호를 확인하고 콘솔에서 다시 등록해 주십시오.',
};
const LINK: ErrorAdvice = {
  message: 'There is no usable account link for this call.',
  nextAction: 'Call session_status for the links there are, and pass account_link_id.',
  userAction: '콘솔에서 기관 인증정보를 등록하거나 대표 인증정보를 지정해 주십시오.',
};

const TABLE: Readonly<Record<string, ErrorAdvice>> = {
  AUTH_REQUIRED: LOGIN,
  PROVIDER_AUTH_FAILED: LOGIN,
  PROVIDER_SESSION_EXPIRED: LOGIN,
  AUTH_INVALID_CREDENTIALS: NO_KEY,
  CONFIGURATION_INVALID: NO_KEY,
  PROVIDER_CREDENTIAL_REJECTED: CREDENTIAL,
  EMPLOYMENT_LOGIN_FAILED: CREDENTIAL,
  PROVIDER_ACCOUNT_LOCKED: {
    message: 'The account is locked at the institution.',
    nextAction: 'Do not repeat the call. Tell the person what user_action says.',
    userAction: '기관에서 계정 잠금을 해제해 주십시오.',
  },
  PROVIDER_MAINTENANCE: {
    message: 'The institution is under maintenance.',
    nextAction: 'Call list_institutions to see when it is back, then repeat with a new request_id.',
  },
  PROVIDER_VALIDATION_ERROR: {
    message: 'The institution rejected an argument.',
    nextAction: 'Check the arguments with the person and call again with other values.',
  },
  PROVIDER_OUTCOME_UNCONFIRMED: {
    message: 'The outcome is unknown: the act may or may not have happened.',
    nextAction: 'Never repeat the call. Tell the person what user_action says.',
    userAction: '다시 제출하지 말고, 기관 홈페이지에서 처리 여부를 먼저 확인해 주십시오.',
  },
  JOB_TIMEOUT: LATER,
  JOB_CANCELED: {
    message: 'The job was cancelled.',
    nextAction: 'Call again with a new request_id if it is still wanted.',
  },
  JOB_NOT_FOUND: {
    message: 'There is no such job in this environment.',
    nextAction: 'Call job_list for the jobs there are.',
  },
  JOB_ALREADY_FINISHED: {
    message: 'The job has already ended.',
    nextAction: 'Call job_result for its result.',
  },
  JOB_NOT_CANCELABLE: {
    message: 'The job is past the point where it could be cancelled.',
    nextAction: 'Call job_result for its outcome.',
  },
  ACCOUNT_LINK_REQUIRED: LINK,
  ACCOUNT_LINK_NOT_FOUND: LINK,
  BANK_ACCOUNT_PARENT_NOT_FOUND: LINK,
  BANK_ACCOUNT_CREDENTIAL_NOT_FOUND: {
    message: 'There is no such registered bank account.',
    nextAction: 'Call session_status for the registered accounts.',
    userAction: '콘솔에서 계좌를 등록해 주십시오.',
  },
  POLICY_QUOTA_EXCEEDED: {
    message: 'Not enough usage tokens remain.',
    nextAction: 'Do not repeat the call today. Tell the person what user_action says.',
    userAction: '사용량 한도를 다 썼습니다. 내일 다시 시도하거나 요금제를 변경해 주십시오.',
  },
  RATE_LIMITED: {
    message: 'Too many calls.',
    nextAction: 'Wait a minute, then repeat the call with the same request_id.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    message: 'This request_id was used for a different request.',
    nextAction: 'Call again with a new request_id.',
  },
  CONNECTION_FAILED: {
    message: 'The service cannot be reached.',
    nextAction: 'Repeat the call with the same request_id. It is not submitted twice.',
    userAction: 'CHANGGU_BASE_URL과 네트워크 연결을 확인해 주십시오.',
  },
  TIMEOUT: {
    message: 'The service did not answer in time.',
    nextAction: 'Repeat the call with the same request_id. It is not submitted twice.',
  },
  INVALID_ARGUMENTS: FIX_ARGUMENTS,
  UNKNOWN_SERVICE: {
    message: 'There is no such service here.',
    nextAction: 'Call search_services to find the right one.',
  },
  SECRET_UNAVAILABLE: {
    message: 'A reference to a secret on this machine leads nowhere.',
    nextAction: 'Tell the person what user_action says. Never ask for the secret itself.',
    userAction: '이 컴퓨터의 키체인, 환경 변수 또는 파일에 등록한 값을 확인해 주십시오.',
  },
  ELICITATION_REQUIRED: {
    message: 'This act needs a confirmation that this host cannot ask for.',
    nextAction: 'Tell the person to use a host that shows confirmations, or the command line.',
  },
  CONFIRM_TOKEN_INVALID: {
    message: 'The confirm_token is not of this call, or older than five minutes.',
    nextAction: 'Call again without confirm_token and ask the person once more.',
  },
};

/** Advice by prefix, for codes without a row of their own. */
const FAMILIES: readonly (readonly [string, ErrorAdvice])[] = [
  ['VALIDATION_', FIX_ARGUMENTS],
  ['AUTH_', NO_KEY],
  ['PROVIDER_', LATER],
  [
    'POLICY_',
    {
      message: 'The key, the plan or the environment does not allow this call.',
      nextAction: 'Do not repeat the call. Tell the person what user_action says.',
      userAction: '키의 권한, 요금제, 환경 설정을 콘솔에서 확인해 주십시오.',
    },
  ],
];

const UNKNOWN: ErrorAdvice = {
  message: 'The call failed.',
  nextAction: 'Call session_status; if all is well there, repeat the call with a new request_id.',
};

/** What we say about a code; never empty. */
export function adviceFor(code: string): ErrorAdvice {
  return TABLE[code] ?? FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? UNKNOWN;
}
