import type { AskedInteraction } from '../../oauth/interactions.ts';
import { escapeHtml, htmlPage } from '../../requests/html-page.ts';
import type { Language } from '../../requests/language.ts';
import type { ServiceError } from '../../rules/service-error.ts';
import { passkeyButton, passkeyScript } from './passkey-form.ts';

const TEXTS = {
  ko: {
    signIn: '창구에 로그인',
    reason: '이 프로그램이 창구 이용 권한을 요청합니다:',
    email: '이메일',
    password: '비밀번호',
    code: '인증 앱의 코드 또는 복구 코드',
    submit: '로그인',
    passkey: '패스키로 로그인',
    at: (label: string) => `${label} 계정으로 로그인`,
    wait: '잠시만 기다려 주십시오',
    go: '계속',
    onward: '프로그램으로 돌아갑니다',
    ended: '이 요청은 끝났습니다',
    advice:
      '만료되었거나, 이미 결정되었거나, 다른 브라우저에서 시작되었습니다. 연결을 요청한 프로그램에서 다시 시작하십시오.',
  },
  en: {
    signIn: 'Sign in to Changgu',
    reason: 'This program asks for access to Changgu:',
    email: 'Email',
    password: 'Password',
    code: 'Code of your authenticator app, or a recovery code',
    submit: 'Sign in',
    passkey: 'Sign in with a passkey',
    at: (label: string) => `Sign in with ${label}`,
    wait: 'One moment',
    go: 'Continue',
    onward: 'Going back to the program',
    ended: 'This request has ended',
    advice:
      'It expired, was decided already, or began in another browser. Start again from the program that asked for it.',
  },
} as const;

/** Reloads itself, this time from our own site, so that the browser sends the session cookie. */
export function wakePage(language: Language): string {
  const text = TEXTS[language];
  return forward(language, text.wait, '?again=1');
}

/** Back to the client. Not a redirect, because browsers apply a form's own policy to its redirects. */
export function onwardPage(address: string, language: Language): string {
  return forward(language, TEXTS[language].onward, address);
}

function forward(language: Language, title: string, address: string): string {
  const to = escapeHtml(address);
  return htmlPage(
    language,
    title,
    `<h1>${title}</h1><p><a href="${to}">${TEXTS[language].go}</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${to}">`,
  );
}

interface SignInView {
  readonly asked: Pick<AskedInteraction, 'clientName'>;
  readonly problem: ServiceError | null;
  /** To identity providers. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

export function signInPage({ asked, problem, links }: SignInView, language: Language): string {
  const text = TEXTS[language];
  const alert = problem === null ? '' : `<p role="alert">${escapeHtml(problem.text(language))}</p>`;
  return htmlPage(
    language,
    text.signIn,
    `<h1>${text.signIn}</h1><p>${text.reason} <strong>${escapeHtml(asked.clientName)}</strong></p>${alert}${linksTo(links, text.at)}<form method="post"><label>${text.email}<input type="email" name="email" autocomplete="username" required></label><label>${text.password}<input type="password" name="password" autocomplete="current-password" required></label>${asksForCode(problem) ? codeField(text.code) : ''}<button name="decision" value="sign_in">${text.submit}</button>${passkeyButton(text.passkey)}</form>`,
    passkeyScript('../../'),
  );
}

function linksTo(links: SignInView['links'], at: (label: string) => string): string {
  const items = links.map(
    ({ label, href }) => `<p><a href="${escapeHtml(href)}">${escapeHtml(at(label))}</a></p>`,
  );
  return items.join('');
}

/** Asked after a correct password, of users who have a second factor. */
const CODE_REFUSALS: ReadonlySet<string> = new Set(['AUTH_FACTOR_REQUIRED', 'FACTOR_CODE_INVALID']);

function asksForCode(problem: ServiceError | null): boolean {
  return problem !== null && CODE_REFUSALS.has(problem.code);
}

function codeField(label: string): string {
  return `<label>${label}<input type="text" name="factor_code" autocomplete="one-time-code" required></label>`;
}

/** Shown for an interaction that has ended or belongs to another browser. */
export function endedPage(error: ServiceError, language: Language): string {
  const text = TEXTS[language];
  return htmlPage(
    language,
    text.ended,
    `<h1>${text.ended}</h1><p>${text.advice}</p><p><code>${error.code}</code></p>`,
  );
}
