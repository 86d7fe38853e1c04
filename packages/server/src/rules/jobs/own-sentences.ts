import { wrongPurpose } from '../links/link-purpose.ts';
import { wrongOwner } from '../links/owner-kind.ts';

/** Of a job that was sent an encrypted field which its action does not have. */
export const UNDECLARED_FIELD = {
  ko: '이 업무에서 사용하지 않는 암호화 필드가 있습니다.',
  en: 'There is an encrypted field that this action does not declare.',
} as const;

/** What this service itself says about a failed job beyond its code, as it is stored, and for readers of English. */
const ENGLISH: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      UNDECLARED_FIELD,
      wrongPurpose('real'),
      wrongPurpose('test'),
      wrongOwner('business'),
      wrongOwner('individual'),
    ].map(({ ko, en }) => [ko, en]),
  ),
  '계좌 비밀번호는 숫자 4자리여야 합니다.': 'The password of the account must have four digits.',
  '연결에 예금주의 사업자등록번호 또는 생년월일이 없습니다.':
    "The link has neither a business registration number nor the owner's date of birth.",
  '연결된 사업자등록번호와 다릅니다.':
    'The business registration number differs from that of the link.',
  '로그인한 사업자의 사업자등록번호와 다릅니다.':
    'The business registration number differs from that of the business that is logged in.',
  '사무대행기관번호(isoa_no)를 입력하십시오.': 'Enter the number of the agency (isoa_no).',
};

/** Undefined for what an institution or a connector of the operator's own said. */
export function ownEnglish(sentence: string): string | undefined {
  return Object.hasOwn(ENGLISH, sentence) ? ENGLISH[sentence] : undefined;
}
