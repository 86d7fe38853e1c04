import { escapeHtml, htmlPage, pagePolicy } from '../../requests/html-page.ts';
import type { Language } from '../../requests/language.ts';

interface ConsentReturn {
  readonly code?: string;
  readonly state?: string;
  readonly error?: string;
}

export const consentReturnHeaders = { 'content-security-policy': pagePolicy() };

const TEXTS = {
  ko: {
    title: '동의가 완료되었습니다',
    advice: '아래 두 값을 복사하여 연결을 요청한 프로그램에 붙여 넣으십시오. 10분 동안 유효합니다.',
    failed: '동의가 완료되지 않았습니다',
    failedAdvice: '연결을 요청한 프로그램에서 동의 절차를 다시 시작하십시오.',
  },
  en: {
    title: 'You have consented',
    advice:
      'Copy these two values into the program that asked for the link. They are valid for ten minutes.',
    failed: 'The consent was not completed',
    failedAdvice: 'Start again from the program that asked for the link.',
  },
} as const;

/** The page to which an institution sends the browser back. */
export function consentReturnPage(
  { code, state, error }: ConsentReturn,
  language: Language,
): string {
  const text = TEXTS[language];
  const complete = error === undefined && code !== undefined && state !== undefined;
  const body = complete
    ? `<h1>${text.title}</h1><p>${text.advice}</p><dl><dt>authorization_code</dt><dd><code>${escapeHtml(code)}</code></dd><dt>state</dt><dd><code>${escapeHtml(state)}</code></dd></dl>`
    : `<h1>${text.failed}</h1><p>${text.failedAdvice}</p>${error === undefined ? '' : `<p><code>${escapeHtml(error)}</code></p>`}`;
  return htmlPage(language, complete ? text.title : text.failed, body);
}
