/** Why a request gets another page than the one it asked for. */
export type StopAnswer =
  | { kind: 'message'; text: string; code: string }
  | { kind: 'session'; reason: SessionReason }
  | { kind: 'maintenance' }
  | { kind: 'busy' }
  | { kind: 'forged' }
  | { kind: 'hang_up' };

export type SessionReason = 'none' | 'expired' | 'second_login';

/** Thrown by a page's handler; the portal answers in its own look. */
export class Stop extends Error {
  readonly answer: StopAnswer;

  constructor(answer: StopAnswer) {
    super(answer.kind);
    this.answer = answer;
  }
}

/** A refusal the portal explains to the person, with the portal's own error number. */
export function refuse(text: string, code: string): Stop {
  return new Stop({ kind: 'message', text, code });
}

export const SESSION_TEXT: Record<SessionReason, string> = {
  none: '로그인이 필요한 서비스입니다.',
  expired: '로그인 세션이 만료되었습니다. 다시 로그인하여 주십시오.',
  second_login: '다른 기기에서 로그인하여 접속이 종료되었습니다.',
};

export const REFUSED_PARAMETER = '입력하신 조회조건이 올바르지 않습니다.';
