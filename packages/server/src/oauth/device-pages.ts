import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, htmlPage, pagePolicy } from '../requests/html-page.ts';
import { type Language, languageOf } from '../requests/language.ts';
import { INTERACTION_SECONDS } from './interaction-cookie.ts';
import { COOKIE_OPTIONS, SESSION_COOKIE } from './session-cookie.ts';
import { shownName } from './shown-client.ts';

const TEXTS = {
  ko: {
    title: '기기 연결',
    enter: '기기에 표시된 코드를 입력하십시오.',
    wrong: '코드가 올바르지 않습니다. 다시 입력하십시오.',
    used: '이미 사용한 코드입니다. 기기에서 새 코드를 받아 입력하십시오.',
    expired: '코드가 만료되었습니다. 기기에서 새 코드를 받아 입력하십시오.',
    failed: '처리하지 못했습니다. 코드를 다시 입력하거나 기기에서 새 코드를 받아 입력하십시오.',
    aborted: '기기를 연결하지 않았습니다. 이 창을 닫으십시오.',
    next: '계속',
    confirm: '아래 코드가 기기에 표시된 코드와 같습니까? 직접 시작하지 않았다면 취소하십시오.',
    cancel: '취소',
    done: '연결되었습니다. 이 창을 닫고 기기로 돌아가십시오.',
  },
  en: {
    title: 'Connect a device',
    enter: 'Enter the code that your device shows.',
    wrong: 'This code is wrong. Enter it again.',
    used: 'This code was already used. Get a new one on your device and enter it.',
    expired: 'This code has expired. Get a new one on your device and enter it.',
    failed: 'That did not work. Enter the code again, or a new one from your device.',
    aborted: 'The device was not connected. Close this window.',
    next: 'Continue',
    confirm: 'Does your device show this code? If you did not start this yourself, cancel.',
    cancel: 'Cancel',
    done: 'Connected. Close this window and go back to your device.',
  },
} as const;

/** By the names of the library's errors, which it does not export. */
const PROBLEMS = new Map<string, 'wrong' | 'used' | 'expired' | 'aborted'>([
  ['NoCodeError', 'wrong'],
  ['NotFoundError', 'wrong'],
  ['AlreadyUsedError', 'used'],
  ['ExpiredError', 'expired'],
  ['AbortedError', 'aborted'],
]);

/** The pages of a machine without a browser (RFC 8628), in place of the library's. */
export function devicePages() {
  return {
    async userCodeInputSource(
      ctx: KoaContextWithOIDC,
      form: string,
      _out?: unknown,
      err?: unknown,
    ) {
      if (err !== undefined) await keepNewSession(ctx);
      const { language, text } = textsOf(ctx);
      const found = err === undefined ? null : problemOf(err);
      if (found === 'aborted') return show(ctx, language, `<p role="status">${text.aborted}</p>`);
      const problem = found === null ? '' : `<p role="alert">${text[found]}</p>`;
      show(
        ctx,
        language,
        `<p>${text.enter}</p>${problem}${withoutHandlers(form)}<button type="submit" form="op.deviceInputForm">${text.next}</button>`,
      );
    },
    async userCodeConfirmSource(
      ctx: KoaContextWithOIDC,
      form: string,
      client: { readonly clientName?: string | undefined; readonly clientId: string },
      _device: unknown,
      userCode: string,
    ) {
      const { language, text } = textsOf(ctx);
      show(
        ctx,
        language,
        `<p><strong>${escapeHtml(shownName(client))}</strong></p><p>${text.confirm}</p><p><code>${escapeHtml(userCode)}</code></p>${form}<button type="submit" form="op.deviceConfirmForm">${text.next}</button><button type="submit" form="op.deviceConfirmForm" value="yes" name="abort">${text.cancel}</button>`,
      );
    },
    async successSource(ctx: KoaContextWithOIDC) {
      const { language, text } = textsOf(ctx);
      show(ctx, language, `<p>${text.done}</p>`);
    },
  };
}

function problemOf(error: unknown) {
  return (error instanceof Error && PROBLEMS.get(error.name)) || 'failed';
}

/**
 * The library also shows the page for an error, after it has passed the place where it saves a new session: the form
 * could not be sent again, and the answer would be 500.
 */
async function keepNewSession({ oidc }: KoaContextWithOIDC): Promise<void> {
  const { session } = oidc;
  // Its type says that it always has an end, which is true once it is saved.
  const end: number | undefined = session?.exp;
  if (session === undefined || end !== undefined) return;
  const options = { ...COOKIE_OPTIONS, maxAge: INTERACTION_SECONDS * 1_000 };
  oidc.cookies.set(SESSION_COOKIE, session.jti, options);
  await session.save(INTERACTION_SECONDS);
}

function textsOf(ctx: KoaContextWithOIDC) {
  const language = languageOf(ctx.get('accept-language') || undefined);
  return { language, text: TEXTS[language] };
}

function show(ctx: KoaContextWithOIDC, language: Language, body: string): void {
  const { title } = TEXTS[language];
  ctx.set('content-security-policy', pagePolicy('self'));
  ctx.type = 'html';
  ctx.body = htmlPage(language, title, `<h1>${title}</h1>${body}`);
}

/** The library's field selects itself by a script, which these pages do not allow. */
function withoutHandlers(form: string): string {
  return form.replaceAll(/ onfocus="[^"]*"/g, '');
}
