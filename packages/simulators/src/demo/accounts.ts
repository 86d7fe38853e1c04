import type { Bank } from '../providers.ts';
import type { Member } from './members.ts';
import { demoMembers, ownerNumberOf } from './members.ts';

/** Account password of every account that is not a demo account. */
export const UNLISTED_ACCOUNT_PASSWORD = '1234';

export interface DemoAccount {
  accountNo: string;
  /** Four digits. */
  accountPassword: string;
  /** Business number or birth date that the quick inquiry asks for. */
  ownerNumber: string;
  member: Member;
}

function account(accountNo: string, accountPassword: string, member: Member): DemoAccount {
  return { accountNo, accountPassword, ownerNumber: ownerNumberOf(member), member };
}

const { corporation, soleProprietor } = demoMembers;

/** Accounts of the demo organization, per account link; bank_b_second is at bank_b. */
export const demoAccounts: Record<Bank | 'bank_b_second', readonly DemoAccount[]> = {
  bank_a: [
    account('100123450011', '2580', corporation),
    account('100123450022', '1470', corporation),
  ],
  bank_b: [
    account('20140312345011', '3690', corporation),
    account('20140312345022', '1593', corporation),
  ],
  bank_b_second: [account('20150798765033', '7531', soleProprietor)],
  bank_c: [
    account('3015551234011', '4826', corporation),
    account('3015551234022', '6248', corporation),
    account('3015551234033', '8642', corporation),
    account('3015551234044', '2846', corporation),
  ],
  bank_d: [account('40277788011', '9173', corporation)],
};

/** All demo accounts at a bank, whoever owns them. */
export function demoAccountsAt(bank: Bank): readonly DemoAccount[] {
  return bank === 'bank_b'
    ? [...demoAccounts.bank_b, ...demoAccounts.bank_b_second]
    : demoAccounts[bank];
}
