import { type NextStep, nextStep } from '@changgu/sdk/catalogue';

/** The bridge's text for errors that the service does not know: its own, and some of the SDK's. */
export interface OwnError {
  readonly message: string;
  /** Omitted when the SDK says what to do. */
  readonly nextStep?: NextStep;
}

const OWN_ERRORS: Readonly<Record<string, OwnError>> = {
  INVALID_ARGUMENTS: {
    message: 'An argument is not valid.',
    nextStep: nextStep(
      'fix_input',
      '인수를 고쳐 다시 호출하십시오. describe_service가 인수를 보여 줍니다.',
      'Correct the arguments and call again; describe_service lists them.',
    ),
  },
  CONFIGURATION_INVALID: {
    message: 'The bridge has no valid client key.',
    nextStep: nextStep(
      'authenticate',
      '클라이언트 키를 등록하십시오.',
      'Do not repeat the call. Tell the person what user_action says.',
    ),
  },
  CONNECTION_FAILED: { message: 'The service cannot be reached.' },
  TIMEOUT: { message: 'The service did not answer in time.' },
  UNKNOWN_INSTITUTION: {
    message: 'There is no such institution.',
    nextStep: nextStep(
      'fix_input',
      '기관 ID를 고쳐 다시 호출하십시오.',
      'Call again with one of data.institutions.',
    ),
  },
  UNKNOWN_SERVICE: {
    message: 'There is no such service.',
    nextStep: nextStep(
      'fix_input',
      'search_services로 서비스를 찾으십시오.',
      'Find the service with search_services.',
    ),
  },
  SECRET_UNAVAILABLE: {
    message: 'A secret that this machine should hold was not found.',
    nextStep: nextStep(
      'fix_credential',
      '이 컴퓨터의 키체인, 환경 변수 또는 파일에 등록한 값을 확인하십시오.',
      'Ask the person to check the value in the keychain, environment variable or file of this machine. Never ask for the secret itself.',
    ),
  },
  ELICITATION_REQUIRED: {
    message: 'This act needs a confirmation that this host cannot ask for.',
    nextStep: nextStep(
      'get_access',
      '확인 창을 지원하는 호스트나 명령줄에서 실행하십시오.',
      'Ask the person to use a host that shows confirmations, or the command line.',
    ),
  },
  CONFIRMATION_FAILED: {
    message: 'The host could not ask the person. Nothing was submitted.',
    nextStep: nextStep(
      'get_access',
      '확인 창이 다시 열리지 않으면, 확인 창을 지원하는 호스트나 명령줄에서 실행하십시오.',
      'Call again only if the person still wants it. If that fails, too, tell them what user_action says.',
    ),
  },
  IRREVERSIBLE_NOT_ALLOWED: {
    message: 'The client key of this bridge may not run what cannot be undone.',
    nextStep: nextStep(
      'get_access',
      '이 키로는 되돌릴 수 없는 업무를 실행할 수 없습니다. 에이전트에 되돌릴 수 없는 업무를 허용하는 키(allow_irreversible_tools)를 새로 발급하십시오.',
      'Do not repeat the call. Tell the person what user_action says.',
    ),
  },
  CONFIRM_TOKEN_INVALID: {
    message: 'The confirm_token belongs to another call or is older than five minutes.',
    nextStep: nextStep(
      'restart',
      'confirm_token 없이 다시 호출하여 확인을 다시 받으십시오.',
      'Call again without confirm_token and ask the person once more.',
    ),
  },
  DECLINED: {
    message: 'The person did not agree. Nothing was submitted.',
    nextStep: nextStep(
      'new_key',
      '요청이 있을 때만 다시 호출하십시오.',
      'Do not call again unless the person asks for it.',
    ),
  },
};

/** The bridge's own error with this code, if there is one. */
export function ownError(code: string): OwnError | undefined {
  return Object.hasOwn(OWN_ERRORS, code) ? OWN_ERRORS[code] : undefined;
}
