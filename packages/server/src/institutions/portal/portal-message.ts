import type { ErrorCode } from '@changgu/contract';
import { InstitutionError } from '../institution-error.ts';

/** What a portal says instead of the page that was asked for. */
export interface PortalMessage {
  readonly text: string;
  /** The portal's own number; null where it gives none. */
  readonly code: string | null;
}

interface Meaning {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly transient?: boolean;
}

const REJECTED = 'PROVIDER_CREDENTIAL_REJECTED' satisfies ErrorCode;

/** Korean portals say what is wrong in a sentence: texts decide, numbers are for reports. The first that fits. */
const MEANINGS: readonly Meaning[] = [
  { pattern: /\d회 오류로|오류 횟수.*초과|잠금|잠겼/, code: 'PROVIDER_ACCOUNT_LOCKED' },
  { pattern: /비밀번호가 (일치하지|틀|맞지)|인증서 정보와 일치하지/, code: REJECTED },
  { pattern: /예금주 정보가 일치하지|본인확인 정보가 일치하지/, code: REJECTED },
  { pattern: /인증서의 유효기간|신뢰할 수 없는 인증기관|등록되지 않은 인증서/, code: REJECTED },
  { pattern: /인증서 일련번호가 일치하지|전자서명 검증에 실패/, code: REJECTED },
  {
    pattern: /다른 (기기|곳)에서 로그인|세션이 만료|로그인이 필요/,
    code: 'PROVIDER_SESSION_EXPIRED',
  },
  { pattern: /로그인 유효시간|비정상적인 접근/, code: 'PROVIDER_UPSTREAM_ERROR', transient: true },
  { pattern: /시스템 점검|서비스 점검/, code: 'PROVIDER_MAINTENANCE' },
  { pattern: /페이지를 찾을 수 없/, code: 'PROVIDER_UPSTREAM_ERROR', transient: false },
];

/** Whatever else a page says in its place is no number of an error (D57). */
const CODE = /^[\w.-]{1,40}$/;
const MAX_TEXT = 200;
/** No sentence is longer; patterns are not tried on what a hostile page says instead. */
const MAX_READ = 1_000;

/** A portal's message as an error; one that nobody knows means that it did not like the input. */
export function messageError(
  provider: string,
  { text: said, code }: PortalMessage,
  upstreamStatus: number,
): InstitutionError {
  const text = said.slice(0, MAX_READ);
  const meaning = MEANINGS.find(({ pattern }) => pattern.test(text));
  return new InstitutionError(meaning?.code ?? 'PROVIDER_VALIDATION_ERROR', {
    upstreamStatus,
    ...(code !== null && CODE.test(code) ? { providerErrorRef: `${provider}:${code}` } : {}),
    ...(meaning?.transient === undefined ? {} : { transient: meaning.transient }),
    ...(meaning === undefined ? { message: quotable(text) } : {}),
  });
}

/** The portal's sentence without anything that looks like a number of somebody. */
function quotable(text: string): string {
  return text.replace(/\d[\d-]{3,}\d/g, '*****').slice(0, MAX_TEXT);
}
