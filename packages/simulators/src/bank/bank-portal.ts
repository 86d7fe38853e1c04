import { Attempts } from '../portal/attempts.ts';
import type { PageOf } from '../portal/paging.ts';
import { pageOf } from '../portal/paging.ts';
import type { Portal } from '../portal/portal.ts';
import type { SignIn } from '../portal/sessions.ts';
import type { Visit } from '../portal/visit.ts';
import { pageNumber, signedInForData } from '../portal/visit.ts';
import type { Bank } from '../providers.ts';
import type { BankAccount } from './accounts.ts';
import { AccountBook } from './accounts.ts';

export interface BankPortal extends Portal {
  book: AccountBook;
}

/** What the pages of one bank share. */
export interface BankDesk {
  book: AccountBook;
  attempts: Attempts;
}

export function openDesk(bank: Bank): BankDesk {
  return { book: new AccountBook(bank), attempts: new Attempts() };
}

/** The page of the account list a logged-in member asked for. */
export function accountListPage(
  visit: Visit,
  desk: BankDesk,
  pageParameter: string,
): { current: PageOf<BankAccount>; signIn: SignIn } {
  const signIn = signedInForData(visit, 'login');
  const accounts = signIn.member ? desk.book.accountsOf(signIn.member, signIn.magic) : [];
  return { current: pageOf(accounts, pageNumber(visit.query.get(pageParameter))), signIn };
}

export function balanceOf(account: BankAccount, now: number): number {
  return account.ledger.balanceAt(now);
}
