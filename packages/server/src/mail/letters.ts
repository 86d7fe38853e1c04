/** What a letter is about, and where its link leads. */
export type LetterKind = 'invitation' | 'verify_email' | 'password_reset';

export interface Letter {
  readonly kind: LetterKind;
  readonly to: string;
  readonly link: string;
  /** Whose organization invites; only in an invitation. */
  readonly organization?: string;
}

const PAGES: Readonly<Record<LetterKind, string>> = {
  invitation: '/console/accept-invitation',
  verify_email: '/console/verify-email',
  password_reset: '/console/reset-password',
};

/** The token stands behind `#`, which browsers send to nobody: no log of a proxy holds it. */
export function linkOf(kind: LetterKind, publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl.replace(/\/$/, '')}${PAGES[kind]}#token=${token}`;
}

interface Wording {
  readonly subject: string;
  readonly ko: string;
  readonly en: string;
}

function wordingOf({ kind, organization = '' }: Letter): Wording {
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
        en: 'Confirm your e-mail address with the link below within 72 hours.',
      };
    case 'password_reset':
      return {
        subject: '[Changgu] 비밀번호 재설정 · Reset your password',
        ko: '한 시간 안에 아래 링크에서 새 비밀번호를 정하십시오.',
        en: 'Choose a new password with the link below within one hour.',
      };
  }
}

const UNEXPECTED = {
  ko: '요청한 적이 없다면 이 메일을 무시하십시오.',
  en: 'If you did not expect this message, ignore it.',
};

/** Subject and text in both languages: nobody knows which one a stranger reads. */
export function textOf(letter: Letter): { readonly subject: string; readonly text: string } {
  const { subject, ko, en } = wordingOf(letter);
  const text = [`${ko}\n${en}`, letter.link, `${UNEXPECTED.ko}\n${UNEXPECTED.en}`, ''];
  return { subject, text: text.join('\n\n') };
}
