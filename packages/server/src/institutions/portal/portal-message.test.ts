import { describe, expect, it } from 'vitest';
import { messageError } from './portal-message.ts';

const codeOf = (text: string) => messageError('bank_b', { text, code: 'E1' }, 200).code;

describe('what a portal says, as an error', () => {
  it.each([
    ['비밀번호가 일치하지 않습니다. (1/5회)', 'PROVIDER_CREDENTIAL_REJECTED'],
    ['등록되지 않은 인증서입니다.', 'PROVIDER_CREDENTIAL_REJECTED'],
    ['비밀번호 5회 오류로 이용이 제한되었습니다.', 'PROVIDER_ACCOUNT_LOCKED'],
    ['다른 기기에서 로그인하여 접속이 종료되었습니다.', 'PROVIDER_SESSION_EXPIRED'],
    ['로그인 유효시간이 지났습니다. 다시 시도하여 주십시오.', 'PROVIDER_UPSTREAM_ERROR'],
    ['입력하신 조회조건이 올바르지 않습니다.', 'PROVIDER_VALIDATION_ERROR'],
    ['처음 보는 문장입니다.', 'PROVIDER_VALIDATION_ERROR'],
  ])('%s: %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('D57 refers to an error by its number, and by nothing else', () => {
    const refOf = (code: string) =>
      messageError('bank_d', { text: '', code }, 200).details.providerErrorRef;
    expect(refOf('E1401')).toBe('bank_d:E1401');
    for (const code of ['', 'a b', '홍길동', '1'.repeat(41), 'x\r\ny']) {
      expect(refOf(code)).toBeUndefined();
    }
  });

  it('quotes an unknown sentence without the numbers of anybody', () => {
    const text = `${'가'.repeat(300)}`;
    const quoted = messageError(
      'bank_b',
      { text: '계좌 110-123-457890은 없습니다.', code: null },
      200,
    );
    expect(quoted.details).toEqual({ message: '계좌 *****은 없습니다.', upstreamStatus: 200 });
    expect(messageError('bank_b', { text, code: null }, 200).details.message).toHaveLength(200);
  });
});
