import type { OrganizationRole } from '@changgu/contract';
import type { Question } from '../../identity-providers/sign-in.ts';
import { escapeHtml, htmlPage } from '../../requests/html-page.ts';
import type { Language } from '../../requests/language.ts';
import type { ServiceError } from '../../rules/service-error.ts';
import { passkeyButton, passkeyScript } from './passkey-form.ts';

const TEXTS = {
  ko: {
    join: '조직에 참여',
    joinReason: '초대받은 조직입니다. 참여하면 이 로그인 제공자로만 로그인합니다.',
    organization: '조직',
    role: '역할',
    email: '이메일',
    name: '이름',
    terms: '이용약관에 동의합니다',
    privacy: '개인정보 처리방침에 동의합니다',
    joinNow: '동의하고 참여',
    factor: '2단계 인증',
    code: '인증 앱의 코드 또는 복구 코드',
    next: '계속',
    passkey: '패스키로 확인',
    failed: '로그인하지 못했습니다',
    again: '로그인 화면으로',
  },
  en: {
    join: 'Join an organization',
    joinReason: 'You were invited. Once you join, you log in at this identity provider only.',
    organization: 'Organization',
    role: 'Role',
    email: 'Email',
    name: 'Name',
    terms: 'I agree to the terms of service',
    privacy: 'I agree to the privacy policy',
    joinNow: 'Agree and join',
    factor: 'Second factor',
    code: 'Code of your authenticator app, or a recovery code',
    next: 'Continue',
    passkey: 'Prove it with a passkey',
    failed: 'You are not logged in',
    again: 'Back to signing in',
  },
} as const;

const ROLES: Readonly<Record<OrganizationRole, Readonly<Record<Language, string>>>> = {
  OWNER: { ko: '소유자', en: 'Owner' },
  ADMIN: { ko: '관리자', en: 'Administrator' },
  MEMBER: { ko: '구성원', en: 'Member' },
};

/** What is asked before the login is done. Its form goes to `continue`, beside every page that shows it. */
export function questionPage(
  question: Question,
  language: Language,
  problem: ServiceError | null,
): string {
  const text = TEXTS[language];
  const alert = problem === null ? '' : `<p role="alert">${escapeHtml(problem.text(language))}</p>`;
  const form = (fields: string) => `${alert}<form method="post" action="continue">${fields}</form>`;
  if (question.kind === 'join') {
    const body = `<h1>${text.join}</h1><p>${text.joinReason}</p>${offer(question, language)}`;
    return htmlPage(language, text.join, body + form(joinFields(question, language)));
  }
  const fields = `<label>${text.code}<input type="text" name="factor_code" autocomplete="one-time-code" required></label><button name="decision" value="factor">${text.next}</button>${passkeyButton(text.passkey)}`;
  return htmlPage(
    language,
    text.factor,
    `<h1>${text.factor}</h1><p>${escapeHtml(question.email)}</p>${form(fields)}`,
    passkeyScript('../../../'),
  );
}

type Joining = Extract<Question, { kind: 'join' }>;

function offer({ email, invitation }: Joining, language: Language): string {
  const text = TEXTS[language];
  const rows = [
    [text.organization, `<strong>${escapeHtml(invitation.organizationName)}</strong>`],
    [text.role, ROLES[invitation.role][language]],
    [text.email, escapeHtml(email)],
  ];
  return `<dl>${rows.map(([term, value]) => `<dt>${term}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

function joinFields({ name }: Joining, language: Language): string {
  const text = TEXTS[language];
  const agree = (field: string, label: string) =>
    `<label><input type="checkbox" name="${field}" value="yes" required> ${label}</label>`;
  return `<label>${text.name}<input type="text" name="name" maxlength="100" value="${escapeHtml(name)}" required></label>${agree('agree_terms', text.terms)}${agree('agree_privacy', text.privacy)}<button name="decision" value="join">${text.joinNow}</button>`;
}

/** Why a login came to nothing, and the way back. */
export function failedLoginPage(error: ServiceError, language: Language, back: string): string {
  const text = TEXTS[language];
  return htmlPage(
    language,
    text.failed,
    `<h1>${text.failed}</h1><p role="alert">${escapeHtml(error.text(language))}</p><p><a href="${escapeHtml(back)}">${text.again}</a></p><p><code>${error.code}</code></p>`,
  );
}
