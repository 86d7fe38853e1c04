import { isJsonObject } from '@changgu/contract';
import { blamingParams } from '@changgu/contract/catalogue';
import type { Language } from '../requests/language.ts';

/** An error of a JSON-RPC answer. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The error with a message for people. The library's English text becomes `data.reason`, and the
 * message is chosen by code in Korean. Our own messages are already in the caller's language.
 */
export function inLanguage(sent: RpcError, language: Language): RpcError {
  const error = blamingParams(sent);
  if (language === 'en' || HANGUL.test(error.message)) return error;
  const { data } = error;
  const message = MESSAGES.get(error.code) ?? OTHER;
  if (data !== undefined && !isJsonObject(data)) return { ...error, message };
  return { ...error, message, data: { reason: error.message, ...data } };
}

/** A protocol error that this service detects itself. */
export function protocolError(code: number, english: string, language: Language): RpcError {
  return { code, message: language === 'en' ? english : (MESSAGES.get(code) ?? OTHER) };
}

const HANGUL = /\p{Script=Hangul}/u;

const OTHER = '요청을 처리할 수 없습니다.';
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [-32_700, '요청 본문을 JSON으로 읽을 수 없습니다.'],
  [-32_600, '올바른 JSON-RPC 2.0 요청이 아닙니다.'],
  [-32_601, '지원하지 않는 메서드입니다.'],
  [-32_602, '인수가 올바르지 않습니다.'],
  [-32_603, '내부 오류가 발생했습니다.'],
  [-32_020, 'HTTP 헤더가 요청 본문과 맞지 않습니다.'],
  [-32_021, '호출한 프로그램이 필요한 기능을 지원하지 않습니다.'],
  [-32_022, '지원하지 않는 프로토콜 버전입니다.'],
]);
