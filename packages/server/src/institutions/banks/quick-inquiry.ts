import type { Call, CallAccount } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';

/** What a bank requires before it shows an account without a login. */
export interface InquiryCredentials {
  readonly accountNumber: string;
  readonly password: string;
  /** Business number, or birth date YYMMDD; '' where consent identifies the owner. */
  readonly owner: string;
}

/** The selected account of a call. */
export function selectedAccount({ account }: Call): CallAccount {
  if (account === null) throw new TypeError('a call of an account action without an account');
  return account;
}

/** @throws InstitutionError PROVIDER_VALIDATION_ERROR before the bank is contacted */
export function inquiryCredentials(call: Call): InquiryCredentials {
  const { accountNumber, accountPassword } = selectedAccount(call);
  const password = call.secrets.account_password ?? accountPassword;
  if (!/^\d{4}$/.test(password)) throw refused('계좌 비밀번호는 숫자 4자리여야 합니다.');
  return { accountNumber, password, owner: ownerOf(call) };
}

/** The link identifies the owner, not the account. */
function ownerOf({ link }: Call): string {
  if (link?.businessNumber) return link.businessNumber.replaceAll('-', '');
  if (link?.credential.type === 'consent') return '';
  const loginId = link?.credential.type === 'id_password' ? link.credential.loginId : '';
  if (/^\d{6}$/.test(loginId)) return loginId;
  throw refused('연결에 예금주의 사업자등록번호 또는 생년월일이 없습니다.');
}

function refused(message: string): InstitutionError {
  return new InstitutionError('PROVIDER_VALIDATION_ERROR', { message });
}
