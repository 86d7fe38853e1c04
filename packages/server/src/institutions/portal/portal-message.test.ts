import { describe, expect, it } from 'vitest';
import type { PortalPhase } from '../meaning/portal-meaning.ts';
import { messageError, type PortalMeanings } from './portal-message.ts';

const bank: PortalMeanings = { provider: 'bank_b' };

function errorFor(text: string, phase: PortalPhase, face = bank, code: string | null = 'E1') {
  return messageError(face, { text, code }, 200, phase);
}

const WRONG = '비밀번호가 일치하지 않습니다. (1/5회)';
const UNKNOWN = '처음 보는 문장.';

describe('a message of a portal', () => {
  it.each([
    [WRONG, 'login', 'PROVIDER_CREDENTIAL_REJECTED'],
    [WRONG, 'inquiry', 'PROVIDER_VALIDATION_ERROR'],
    [`${WRONG} 다시 로그인하여 주십시오.`, 'login', 'PROVIDER_CREDENTIAL_REJECTED'],
    [`${WRONG} 다시 로그인하여 주십시오.`, 'inquiry', 'PROVIDER_SESSION_EXPIRED'],
    [`${WRONG} (서비스 이용가능시간 06:00~24:00)`, 'login', 'PROVIDER_CREDENTIAL_REJECTED'],
    ['등록되지 않은 인증서입니다.', 'login', 'PROVIDER_CREDENTIAL_REJECTED'],
    ['등록되지 않은 인증서입니다.', 'inquiry', 'PROVIDER_AUTH_FAILED'],
    ['비밀번호 5회 오류로 이용이 제한되었습니다.', 'login', 'PROVIDER_ACCOUNT_LOCKED'],
    ['비밀번호 5회 오류로 이용이 제한되었습니다.', 'inquiry', 'PROVIDER_VALIDATION_ERROR'],
    ['다른 기기에서 로그인하여 접속이 종료되었습니다.', 'inquiry', 'PROVIDER_SESSION_EXPIRED'],
    ['이미 접속중인 사용자입니다.', 'login', 'PROVIDER_UPSTREAM_ERROR'],
    ['지금은 서비스 이용시간이 아닙니다.', 'login', 'PROVIDER_MAINTENANCE'],
    ['조회기간은 최대 3개월까지 가능합니다.', 'inquiry', 'PROVIDER_VALIDATION_ERROR'],
    [UNKNOWN, 'login', 'PROVIDER_UPSTREAM_ERROR'],
    [UNKNOWN, 'inquiry', 'PROVIDER_UPSTREAM_ERROR'],
    [UNKNOWN, 'committed', 'PROVIDER_OUTCOME_UNCONFIRMED'],
  ] as const)('%s in the phase %s becomes %s (D51, D165)', (text, phase, code) => {
    expect(errorFor(text, phase).code).toBe(code);
  });

  it('is never worth a retry when it answers a credential (D165)', () => {
    const busy = '일시적인 장애가 발생하였습니다. 잠시 후 다시 이용하십시오.';
    expect(errorFor(busy, 'inquiry').transient).toBe(true);
    expect(errorFor(busy, 'login').transient).toBe(false);
    expect(errorFor(UNKNOWN, 'login').transient).toBe(false);
  });

  it('counts as a refusal after the point of no return only where the face declares it (D165)', () => {
    const face: PortalMeanings = { provider: 'tax_portal', refusals: [{ code: /^T1002$/ }] };
    const refusal = errorFor('대상이 아닙니다.', 'committed', face, 'T1002');
    expect(refusal).toMatchObject({
      code: 'PROVIDER_VALIDATION_ERROR',
      details: { refused: true, message: '대상이 아닙니다.' },
    });
    const other = errorFor('대상이 아닙니다.', 'committed', face, 'T1003');
    expect(other.code).toBe('PROVIDER_OUTCOME_UNCONFIRMED');
    expect(other.details.refused).toBeUndefined();
  });

  it('means what its portal says before what portals have in common', () => {
    const face: PortalMeanings = {
      provider: 'bank_x',
      meanings: [
        { code: /^E77$/, means: 'maintenance' },
        { text: /전문 처리/, means: 'locked' },
      ],
    };
    expect(errorFor(WRONG, 'login', face, 'E77').code).toBe('PROVIDER_MAINTENANCE');
    expect(errorFor('전문 처리', 'login', face, null).code).toBe('PROVIDER_ACCOUNT_LOCKED');
    expect(errorFor(WRONG, 'login', face, 'E78').code).toBe('PROVIDER_CREDENTIAL_REJECTED');
  });

  it('is referred to by its number, and by nothing else (D57)', () => {
    const refOf = (code: string) => errorFor('', 'inquiry', bank, code).details.providerErrorRef;
    expect(refOf('E1401')).toBe('bank_b:E1401');
    for (const code of ['', 'a b', '홍길동', '1'.repeat(41), 'x\r\ny']) {
      expect(refOf(code)).toBeUndefined();
    }
  });

  it('is quoted without the numbers of anybody, and not at length', () => {
    const quoted = errorFor('계좌 110-123-457890 안내', 'inquiry', bank, null);
    expect(quoted.details.message).toBe('계좌 ***** 안내');
    expect(errorFor('가'.repeat(300), 'inquiry').details.message).toHaveLength(200);
  });
});
