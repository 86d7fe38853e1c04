import { Attempts } from '../portal/attempts.ts';
import type { CertificateForm } from '../portal/certificate-login.ts';
import { certificateForm, signInByCertificate } from '../portal/certificate-login.ts';
import { html } from '../portal/html.ts';
import type { PageOf } from '../portal/paging.ts';
import { pageOf } from '../portal/paging.ts';
import type { PasswordForm } from '../portal/password-login.ts';
import { passwordForm, signInByPassword } from '../portal/password-login.ts';
import type { Portal, Route } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import type { SignIn } from '../portal/sessions.ts';
import type { Visit } from '../portal/visit.ts';
import { page, pageNumber, redirect, signedInForData } from '../portal/visit.ts';
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

/** Paths and field names of a bank's login. */
export interface BankLogin {
  page: string;
  accounts: string;
  logout: string;
  password: PasswordForm;
  certificate: CertificateForm;
}

/** Login page, both logins, and logout; they differ between the banks only in names. */
export function loginRoutes(desk: BankDesk, login: BankLogin): Route[] {
  const { password, certificate } = login;
  return [
    get(login.page, (visit) =>
      page('로그인', html`${passwordForm(visit, password)}${certificateForm(visit, certificate)}`),
    ),
    post(password.action, (visit) => {
      signInByPassword(visit, password, desk.attempts);
      return redirect(login.accounts);
    }),
    post(certificate.action, (visit) => {
      signInByCertificate(visit, certificate);
      return redirect(login.accounts);
    }),
    post(login.logout, (visit) => {
      visit.sessions.logOut(visit.session);
      return redirect(login.page);
    }),
  ];
}
