/** What resolves an error. Programs branch on it; the sentence with it is for people and models. */
export type NextStepKind =
  /** The request itself is wrong: correct it. */
  | 'fix_input'
  /** The same work may be submitted again at once, under a new idempotency key. */
  | 'new_key'
  /** The same call may succeed later. */
  | 'wait_and_retry'
  /** The institution is closed for now: its state says when it reopens. */
  | 'wait_for_institution'
  /** Run the institution's login action first. */
  | 'login'
  /** The caller's own credentials at this service are wrong. */
  | 'authenticate'
  /** Plan, scope, consent or environment have to change first. */
  | 'get_access'
  /** A credential of the institution has to be corrected and registered again. */
  | 'fix_credential'
  /** Choose or register an account link or a bank account. */
  | 'check_links'
  /** Read the job, or the list of jobs. */
  | 'check_jobs'
  /** Read the current state of the resource. */
  | 'check_state'
  /** It is unknown whether the act took effect: ask the institution before repeating anything. */
  | 'check_institution'
  /** A multi-step flow has to start again. */
  | 'restart'
  /** Only the operator of the service can resolve it. */
  | 'contact_operator';

/** What to do after an error. `{key}` and `{login}` are replaced for each surface. */
export interface NextStep {
  readonly kind: NextStepKind;
  readonly ko: string;
  readonly en: string;
}

/* @__NO_SIDE_EFFECTS__ */
export function step(kind: NextStepKind, ko: string, en: string): NextStep {
  return { kind, ko, en };
}

/** A surface's names for the things that the sentences mention. */
export interface NextStepTerms {
  /** The idempotency key. */
  readonly key: string;
  /** The institution's login action; omitted when there is none or it is unknown. */
  readonly login?: string | undefined;
}

export const NEXT_STEP_TERMS = {
  http: { key: 'Idempotency-Key' },
  sdk: { key: 'idempotencyKey' },
  cli: { key: '--idempotency-key' },
  tool: { key: 'request_id' },
} as const satisfies Readonly<Record<string, NextStepTerms>>;

/** A step in one surface's words. */
export function inTermsOf({ kind, ko, en }: NextStep, { key, login }: NextStepTerms): NextStep {
  const filled = (sentence: string) =>
    sentence
      .replaceAll('{key}', key)
      .replaceAll('{login}', login === undefined ? '' : ` (${login})`);
  return { kind, ko: filled(ko), en: filled(en) };
}

export const FIX_INPUT = step(
  'fix_input',
  '입력값을 고쳐 다시 보내십시오. 작업을 제출할 때는 새 {key}를 사용하십시오.',
  'Correct the input and send it again. A job needs a new {key}.',
);

export const RESUBMIT_LATER = step(
  'wait_and_retry',
  '잠시 후 새 {key}로 다시 제출하십시오.',
  'Wait a moment, then submit again with a new {key}.',
);

export const REPEAT_LATER = step(
  'wait_and_retry',
  '잠시 기다린 뒤 같은 {key}로 같은 요청을 다시 보내십시오.',
  'Wait a moment, then repeat the request with the same {key}.',
);

export const LOGIN_FIRST = step(
  'login',
  '같은 account_link_id로 기관 로그인 업무{login}를 먼저 실행한 뒤, 새 {key}로 다시 제출하십시오.',
  "Run the institution's login action{login} with the same account_link_id, then submit again with a new {key}.",
);

export const CHECK_LINKS = step(
  'check_links',
  '등록된 연결을 확인하고, 없으면 기관 인증 정보를 먼저 등록하십시오.',
  'Check the registered links. If there is none for this institution, register one.',
);

export const SEND_REASON = step(
  'fix_input',
  '허용된 revoked_reason을 보내십시오.',
  'Send a revoked_reason that this principal may use.',
);

/** For a failure that would be temporary if the action were a read. */
export const CHECK_BEFORE_REPEAT = step(
  'check_institution',
  '다시 제출하기 전에 기관에서 처리 여부를 확인하십시오.',
  'Check at the institution whether it was processed before you submit again.',
);

export const CONTACT_OPERATOR = step(
  'contact_operator',
  '같은 오류가 계속되면 trace_id와 함께 운영자에게 문의하십시오.',
  'If it keeps failing, contact the operator and quote the trace_id.',
);
