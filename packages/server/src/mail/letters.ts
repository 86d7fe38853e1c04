/** The subjects of messages, and where their links lead. */
export type LetterKind = 'invitation' | 'verify_email' | 'password_reset' | NoticeKind;
/** Notices only: their link needs no token. */
export type NoticeKind = 'factors_reset' | 'webhook_gone' | 'webhook_failing';

export interface Letter {
  readonly kind: LetterKind;
  readonly to: string;
  readonly link: string;
  /** The organization that it is about. */
  readonly organization?: string;
  /** The endpoint; only in webhook notices. */
  readonly webhook?: string;
  /** Opening the link is the first proof of the address; only in password resets. */
  readonly firstProof?: boolean;
}

const PAGES: Readonly<Record<LetterKind, string>> = {
  invitation: '/console/accept-invitation',
  verify_email: '/console/verify-email',
  password_reset: '/console/reset-password',
  factors_reset: '/console/account',
  webhook_gone: '/console/',
  webhook_failing: '/console/',
};

export function noticeLinkOf(kind: NoticeKind, publicBaseUrl: string): string {
  return `${publicBaseUrl.replace(/\/$/, '')}${PAGES[kind]}`;
}

/** The token follows `#`, which browsers never send, so it is in no proxy's log. */
export function linkOf(kind: LetterKind, publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl.replace(/\/$/, '')}${PAGES[kind]}#token=${token}`;
}

interface Wording {
  readonly subject: string;
  readonly ko: string;
  readonly en: string;
  /** What ends when the link is used. */
  readonly ends?: { readonly ko: string; readonly en: string };
  /** What to do about an unexpected message. */
  readonly unexpected?: { readonly ko: string; readonly en: string };
}

const WEBHOOK_DISABLED = {
  subject: '[Changgu] 웹훅이 중지되었습니다 · A webhook was disabled',
  unexpected: {
    ko: '다시 받으려면 수신 서버를 고치고 status를 ENABLED로 바꾸십시오. 중지된 동안의 이벤트는 다시 보내기로 받을 수 있습니다.',
    en: 'To receive events again, fix your endpoint and set its status to ENABLED. Events from the outage can be replayed.',
  },
};

/** Until the address is proven, someone else may have registered it. */
const FIRST_PROOF = {
  ko: '아직 확인되지 않은 주소입니다. 새 비밀번호를 정하면 이 계정의 2단계 인증 수단, OAuth 승인, 아직 수락되지 않은 초대, 탈퇴 신청이 모두 취소됩니다. 이 계정으로 조직을 만들었다면 이 계정에서 발급하거나 마지막으로 시크릿을 교체한 키와 연동사 키가 폐기되고, 추가하거나 마지막으로 변경한 웹훅도 중지됩니다. 다른 구성원이 쓰는 키와 웹훅도 포함됩니다. 필요한 것은 로그인한 뒤 다시 등록하십시오.',
  en: 'This address is not confirmed yet. A new password ends the second factors, OAuth approvals, open invitations and deletion request of the account. If the account founded its organization, the keys that it issued or last rotated and integrator keys are revoked, and the webhooks that it added or last changed disabled, also where colleagues use them. Sign in afterwards and set up again what you need.',
};

const MAX_NAME = 60;

/** A name that anyone could have chosen: no mail program makes a link of it, and it is no letter of its own. */
function shownName(name: string): string {
  const line = name
    .replaceAll(/\s+/gu, ' ')
    .replaceAll('://', ': //')
    .replaceAll(/\.(?=[\p{L}\p{N}])/gu, '. ');
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME).toWellFormed()}…` : line;
}

function wordingOf({ kind, organization: name = '', webhook = '', firstProof }: Letter): Wording {
  const organization = shownName(name);
  switch (kind) {
    case 'invitation':
      return {
        subject: '[Changgu] 조직 초대 · Invitation',
        ko: `${organization} 조직에 초대되었습니다. 72시간 안에 아래 링크에서 수락하십시오.`,
        en: `You are invited to join ${organization}. Accept with the link below within 72 hours.`,
      };
    case 'verify_email':
      return {
        subject: '[Changgu] 이메일 확인 · Confirm your address',
        ko: '72시간 안에 아래 링크에서 이메일 주소를 확인하십시오.',
        en: 'Confirm your email address with the link below within 72 hours.',
        unexpected: {
          ko: '가입한 적이 없다면 링크를 열지 마십시오. 다른 사람이 이 주소로 가입했습니다. 비밀번호를 재설정하면 그 계정을 넘겨받습니다.',
          en: 'If you did not register, do not open the link: someone else used your address. Reset the password to take over that account.',
        },
      };
    case 'password_reset':
      return {
        subject: '[Changgu] 비밀번호 재설정 · Reset your password',
        ko: '한 시간 안에 아래 링크에서 새 비밀번호를 정하십시오.',
        en: 'Choose a new password with the link below within one hour.',
        ...(firstProof ? { ends: FIRST_PROOF } : {}),
      };
    case 'factors_reset':
      return {
        subject: '[Changgu] 2단계 인증 해제 · Second factors removed',
        ko: `${organization} 조직의 소유자가 회원님의 2단계 인증 수단을 모두 해제했습니다. 열려 있던 세션은 종료되었습니다. 아래 주소에서 로그인한 뒤 다시 등록하십시오.`,
        en: `An owner of ${organization} has removed all your second factors. Your sessions have ended. Sign in at the address below and add new ones.`,
        unexpected: {
          ko: '요청한 적이 없다면 조직의 소유자에게 바로 알리고 비밀번호를 변경하십시오.',
          en: 'If you did not ask for this, tell an owner of your organization at once and change your password.',
        },
      };
    case 'webhook_gone':
      return {
        ...WEBHOOK_DISABLED,
        ko: `웹훅 ${webhook}의 수신 서버가 410으로 응답하여 웹훅을 중지했습니다.`,
        en: `The receiver of webhook ${webhook} answered 410, so the webhook was disabled.`,
      };
    case 'webhook_failing':
      return {
        ...WEBHOOK_DISABLED,
        ko: `웹훅 ${webhook}에 닷새 동안 아무것도 전달하지 못하여 웹훅을 중지했습니다.`,
        en: `Nothing could be delivered to webhook ${webhook} for five days, so it was disabled.`,
      };
  }
}

const UNEXPECTED = {
  ko: '요청한 적이 없다면 이 메일을 무시하십시오.',
  en: 'If you did not expect this message, ignore it.',
};

/** Subject and text in both languages, because a stranger's language is unknown. */
export function textOf(letter: Letter): { readonly subject: string; readonly text: string } {
  const { subject, ko, en, ends, unexpected = UNEXPECTED } = wordingOf(letter);
  const notes = [...(ends ? [ends] : []), unexpected].map((note) => `${note.ko}\n${note.en}`);
  return { subject, text: [`${ko}\n${en}`, letter.link, ...notes, ''].join('\n\n') };
}
