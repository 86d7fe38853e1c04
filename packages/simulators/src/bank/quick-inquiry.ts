import type { Attempts } from '../portal/attempts.ts';
import { locked } from '../portal/attempts.ts';
import type { PageOf } from '../portal/paging.ts';
import { pageOf, turningOf } from '../portal/paging.ts';
import type { PortalSession, SignIn } from '../portal/sessions.ts';
import { REFUSED_PARAMETER, refuse, Stop } from '../portal/stop.ts';
import type { Visit } from '../portal/visit.ts';
import { endMidway } from '../portal/visit.ts';
import { dayOf } from '../seed/kst.ts';
import type { AccountBook, BankAccount } from './accounts.ts';
import { isAccountNumber } from './accounts.ts';
import type { Direction, LedgerRow, Statement } from './ledger.ts';

/** What the person typed in a quick inquiry. */
export interface Credentials {
  accountNo: string;
  password: string;
  ownerNo: string;
}

export interface Range {
  fromDay: number | null;
  toDay: number | null;
  direction: Direction | null;
  newestFirst: boolean;
}

export interface HistoryInquiry {
  account: BankAccount;
  signIn: SignIn;
  fromDay: number;
  toDay: number;
  statement: Statement;
  /** In the asked order. */
  rows: readonly LedgerRow[];
}

function checkShape({ accountNo, password, ownerNo }: Credentials): void {
  if (!isAccountNumber(accountNo)) throw refuse('계좌번호를 확인하여 주십시오.', 'E2101');
  if (!/^\d{4}$/.test(password)) throw refuse('계좌비밀번호 4자리를 입력하여 주십시오.', 'E2102');
  if (!/^(\d{10}|\d{6})$/.test(ownerNo)) {
    throw refuse('사업자번호 10자리 또는 생년월일 6자리를 입력하여 주십시오.', 'E2103');
  }
}

function refuseByMagic(account: BankAccount): void {
  switch (account.magic) {
    case '0503':
      throw new Stop({ kind: 'maintenance' });
    case '0423':
      throw locked();
    case '0401':
      throw refuse('비밀번호가 일치하지 않습니다.', 'E1401');
    case '0504':
      throw new Stop({ kind: 'busy' });
    case '0402':
      throw refuse(REFUSED_PARAMETER, 'E0402');
    default:
  }
}

/**
 * A quick inquiry is a login with an account: checks owner and password and opens the inquiry.
 * @throws Stop with the bank's words for what is wrong.
 */
export function openInquiry(
  visit: Visit,
  book: AccountBook,
  attempts: Attempts,
  credentials: Credentials,
): { account: BankAccount; signIn: SignIn } {
  checkShape(credentials);
  const account = book.account(credentials.accountNo);
  refuseByMagic(account);
  if (account.ownerNumber !== null && account.ownerNumber !== credentials.ownerNo) {
    throw refuse('예금주 정보가 일치하지 않습니다.', 'E2104');
  }
  attempts.check(`account:${account.number}`, account.password === credentials.password);
  const signIn = visit.sessions.signIn(
    visit.session,
    'quick_inquiry',
    {
      login: account.number,
      owner: credentials.ownerNo,
      method: 'quick_inquiry',
      magic: account.magic,
      member: null,
    },
    visit.position,
  );
  return { account, signIn };
}

const inquiries = new WeakMap<PortalSession, HistoryInquiry>();

function checkRange(visit: Visit, range: Range, maxDays: number) {
  const { fromDay, toDay, direction } = range;
  if (fromDay === null || toDay === null) throw refuse('조회기간을 확인하여 주십시오.', 'E2201');
  if (fromDay > toDay) throw refuse('조회시작일이 조회종료일보다 늦습니다.', 'E2202');
  if (toDay > dayOf(visit.now)) throw refuse('조회종료일은 오늘까지 입력할 수 있습니다.', 'E2203');
  if (toDay - fromDay + 1 > maxDays) {
    throw refuse(`조회기간은 최대 ${maxDays}일까지 가능합니다.`, 'E2204');
  }
  if (direction === null) throw refuse('조회구분을 확인하여 주십시오.', 'E2205');
  return { fromDay, toDay, direction };
}

/** Opens a transaction history; its rows stay as they were while its pages are read. */
export function openHistory(
  visit: Visit,
  opened: { account: BankAccount; signIn: SignIn },
  range: Range,
  maxDays: number,
): HistoryInquiry {
  const { fromDay, toDay, direction } = checkRange(visit, range, maxDays);
  const statement = opened.account.ledger.statement(fromDay, toDay, direction, visit.now);
  const rows = range.newestFirst ? statement.rows.toReversed() : statement.rows;
  const inquiry = { ...opened, fromDay, toDay, statement, rows };
  inquiries.set(visit.session, inquiry);
  return inquiry;
}

/** The open inquiry of a session. @throws Stop with the session page when it is gone. */
export function currentInquiry(visit: Visit): HistoryInquiry {
  const signIn = visit.sessions.signedIn(visit.session, 'quick_inquiry');
  const inquiry = inquiries.get(visit.session);
  if (inquiry?.signIn === signIn) return inquiry;
  throw new Stop({ kind: 'session', reason: 'expired' });
}

/** One page of the inquiry; accounts whose session ends midway end at the second page. */
export function historyPage(
  visit: Visit,
  inquiry: HistoryInquiry,
  number: number,
): PageOf<LedgerRow> {
  const current = pageOf(inquiry.rows, number, turningOf(visit, number));
  const { magic } = inquiry.signIn;
  const endsHere = number > 1 || current.last === 1;
  if ((magic === '0440' || magic === '0409') && endsHere) endMidway(visit, inquiry.signIn);
  return current;
}
