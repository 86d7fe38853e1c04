import { escapeHtml, htmlPage } from '../requests/html-page.ts';
import { languageOf } from '../requests/language.ts';

const TEXTS = {
  ko: {
    title: '연결할 수 없습니다',
    advice: '이 창을 닫고, 연결을 요청한 프로그램에서 다시 시작하십시오.',
    details: '프로그램 개발자를 위한 정보',
  },
  en: {
    title: 'Cannot connect this program',
    advice: 'Close this window, and start again from the program that asked for it.',
    details: 'For the developers of that program',
  },
} as const;

/** Shown in the browser when a request is too wrong to be returned to the client. */
export function errorPage(
  error: { readonly error: string; readonly error_description?: string | undefined },
  acceptLanguage: string,
): string {
  const language = languageOf(acceptLanguage || undefined);
  const text = TEXTS[language];
  const detail = [error.error, error.error_description ?? ''].filter(Boolean).join(': ');
  return htmlPage(
    language,
    text.title,
    `<h1>${text.title}</h1><p>${text.advice}</p><p>${text.details}: <code>${escapeHtml(detail)}</code></p>`,
  );
}
