import { maskAccountNumber, toAccountNumber } from '../../rules/identity/account-number.ts';
import type { Call, Connector, Credential, JsonObject } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { type Entered, endingLogin, type Logout } from '../portal/ending-login.ts';
import { brokenPage, cell, elements, type PortalPage, tableRows, textOf } from '../portal/page.ts';
import { readPages } from '../portal/pager.ts';
import { openPortal, type Portal, type PortalFace } from '../portal/portal.ts';
import {
  type CertificateFields,
  logInByCertificate,
  logInByPassword,
  type PasswordFields,
} from '../portal/portal-login.ts';
import { printedDayOrNull, printedWon, textOrNull } from '../portal/printed-values.ts';

/** How one bank logs in and lists accounts. */
export interface AccountsSite {
  readonly face: PortalFace;
  readonly loginPath: string;
  readonly certificate: CertificateFields;
  readonly password: PasswordFields;
  /** The first page of the list and the following ones. */
  readonly listPath: string;
  readonly pageParameter: string;
  /** Selects the form that logs out, on the list and on the login page. */
  readonly logoutForm: string;
  /** The number of accounts according to the page. */
  total(page: PortalPage): number;
  rows(page: PortalPage): readonly PrintedAccount[];
}

/** An account as printed by the bank. */
export interface PrintedAccount {
  readonly number: string;
  readonly product: string;
  readonly nickname: string;
  readonly balance: string;
  readonly openedOn: string;
  readonly state: string;
}

/** Titles of the columns of number, product, nickname, balance, opening date and state. */
export type AccountColumns = readonly [string, string, string, string, string, string];

/** Accounts printed as a table with these columns. */
export function accountsInTable(
  page: PortalPage,
  table: string,
  columns: AccountColumns,
): PrintedAccount[] {
  return tableRows(page, table, columns).map((row) => ({
    number: cell(row, 0),
    product: cell(row, 1),
    nickname: cell(row, 2),
    balance: cell(row, 3),
    openedOn: cell(row, 4),
    state: cell(row, 5),
  }));
}

const STEPS = 3;

/** `<bank>.accounts.list`: logs in, reads every page and logs out. */
export function accountsList(site: AccountsSite): Connector {
  return async (call) => {
    const portal = openPortal(call, site.face);
    call.progress(1, STEPS, '은행에 로그인하고 있습니다');
    const logIn = await loginOf(call, site, portal);
    return endingLogin(call, portal, logoutOf(site), async (entered) => {
      const first = await logIn((page) => firstPage(site, page, entered));
      call.progress(2, STEPS, '계좌 목록을 읽고 있습니다');
      const accounts = await readAccounts(call, site, portal, first);
      const items = accounts.map((account, index) => itemOf(account, index + 1));
      call.progress(3, STEPS, '로그아웃하고 있습니다');
      return { success: true, row_count: items.length, items };
    });
  };
}

/** The login page shows the logout as well, and has no data that could break it off. */
function logoutOf({ loginPath, logoutForm }: AccountsSite): Logout {
  return { page: loginPath, form: logoutForm };
}

/** The first page of the list, which states the number of accounts. */
function firstPage(site: AccountsSite, page: PortalPage, entered: Entered): PortalPage {
  entered(page);
  site.total(page);
  return page;
}

type LogIn = (read: (page: PortalPage) => PortalPage) => Promise<PortalPage>;

/** Everything up to the request that carries the credential. */
async function loginOf({ link }: Call, site: AccountsSite, portal: Portal): Promise<LogIn> {
  const credential = link?.credential;
  if (credential === undefined) throw new InstitutionError('AUTH_REQUIRED');
  if (credential.type === 'consent') {
    return async (read) => {
      await openByConsent(site, portal, credential);
      return read(await portal.get(site.listPath));
    };
  }
  const page = await portal.get(site.loginPath);
  return (read) =>
    credential.type === 'certificate'
      ? logInByCertificate(portal, page, site.certificate, credential, read)
      : logInByPassword(portal, page, site.password, credential, read);
}

type Consent = Extract<Credential, { type: 'consent' }>;

/** Opens a session with the token from the owner's consent, or with a new one. */
export async function openByConsent(
  { face }: { readonly face: PortalFace },
  portal: Portal,
  { authorization, renew }: Consent,
): Promise<void> {
  if (await isOpened(portal, authorization)) return;
  const renewed = await renew();
  if (renewed !== null && (await isOpened(portal, renewed))) return;
  throw new InstitutionError('PROVIDER_AUTH_FAILED', {
    upstreamStatus: 401,
    providerErrorRef: `${face.provider}:INVALID_TOKEN`,
  });
}

async function isOpened(portal: Portal, { access_token: token }: JsonObject): Promise<boolean> {
  const headers = { authorization: `Bearer ${String(token)}` };
  try {
    const { status } = await portal.ask({ method: 'POST', path: '/oauth/session', headers });
    if (status >= 400 && status !== 401) throw brokenPage(status, false);
    return status !== 401;
  } catch (error) {
    if (error instanceof InstitutionError && error.details.upstreamStatus === 401) return false;
    throw error;
  }
}

function readAccounts(
  call: Call,
  site: AccountsSite,
  portal: Portal,
  first: PortalPage,
): Promise<PrintedAccount[]> {
  return readPages(call, {
    first,
    total: site.total(first),
    totalOf: site.total,
    // Accounts are not opened within seconds; and unlike a statement, the list has no sums that would show a gap.
    endIsFixed: true,
    rowsOf: site.rows,
    next: (_page, number) => portal.get(site.listPath, { [site.pageParameter]: String(number) }),
    step: '계좌 목록을 읽고 있습니다',
  });
}

function itemOf(account: PrintedAccount, rowIndex: number): JsonObject {
  const digits = toAccountNumber(account.number);
  if (digits === null) throw brokenPage();
  return {
    row_index: rowIndex,
    masked_account_no: maskAccountNumber(digits),
    account_name: textOrNull(account.product),
    nickname: textOrNull(account.nickname),
    currency: 'KRW',
    balance: printedWon(account.balance),
    opened_on: printedDayOrNull(account.openedOn),
    status: textOrNull(account.state),
  };
}

/** The number printed in an element: `총 13건`. */
export function printedTotal(page: PortalPage, selector: string): number {
  const texts = elements(page, selector).map(textOf);
  const match = /(\d[\d,]*)/.exec(texts.find((text) => /\d/.test(text)) ?? '');
  if (match === null) throw brokenPage(page.status);
  return Number(match[1]?.replaceAll(',', ''));
}
