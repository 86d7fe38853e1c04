import { refuse } from '../portal/stop.ts';
import { monthOf } from '../seed/kst.ts';
import { seededRandom } from '../seed/random.ts';

/** What the provider remembers of a card: never its whole number. */
export interface Card {
  company: string;
  maskedNumber: string;
}

const COMPANIES = ['가온카드', '나래카드', '다솜카드', '라온카드'] as const;

/**
 * Reads a card as a person types it; any number with a right check digit is a card.
 * @throws Stop with the provider's message
 */
export function readCard(
  typed: { number: string; expiry: string; password: string; owner: string },
  now: number,
): Card {
  const number = typed.number.replace(/[ -]/g, '');
  if (!/^\d{14,16}$/.test(number) || !hasRightCheckDigit(number)) {
    throw refuse('카드번호가 올바르지 않습니다.', 'P1001');
  }
  if (!isAhead(typed.expiry, now)) throw refuse('유효기간이 올바르지 않습니다.', 'P1002');
  if (!/^\d{2}$/.test(typed.password)) {
    throw refuse('카드 비밀번호 앞 두 자리를 입력하여 주십시오.', 'P1003');
  }
  if (!/^(\d{6}|\d{10})$/.test(typed.owner)) {
    throw refuse('생년월일 또는 사업자등록번호를 입력하여 주십시오.', 'P1004');
  }
  return {
    company: seededRandom(number.slice(0, 6)).pick(COMPANIES),
    maskedNumber: `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`,
  };
}

/** Luhn. */
function hasRightCheckDigit(number: string): boolean {
  const sum = Array.from(number)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** MMYY, this month or later. */
function isAhead(expiry: string, now: number): boolean {
  const match = /^(0[1-9]|1[0-2])\/?(\d{2})$/.exec(expiry);
  if (!match) return false;
  return (2000 + Number(match[2])) * 12 + Number(match[1]) - 1 >= monthOf(now);
}
