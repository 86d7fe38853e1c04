import { addDays } from '@changgu/contract';
import type { Call } from '../connector.ts';
import { type PagedList, readPages } from '../portal/pager.ts';
import type { HistoryQuery, Period, Statement, StatementHead, Transaction } from './statement.ts';

/** An answered inquiry: its totals and its pages of rows. */
export interface Inquiry
  extends Pick<PagedList<Transaction>, 'first' | 'totalOf' | 'rowsOf' | 'next'> {
  readonly head: StatementHead;
}

/** Reserved for the inquiry that confirms a part, for its spreadsheet and for writing the result. */
const MIN_RESERVE_MS = 10_000;
/** A multiple of the slowest page so far, because a slow portal stays slow. */
const RESERVED_PAGES = 4;

type Inquire = (query: HistoryQuery) => Promise<Inquiry>;

/**
 * The statement of a period, all pages of it. If the job runs out of time, the statement covers as
 * many whole days as were read, with the totals that the bank prints for them.
 */
export async function readStatement(
  call: Call,
  query: HistoryQuery,
  inquire: Inquire,
): Promise<Statement> {
  const inquiry = await inquire(query);
  const clock = pageClock(call);
  const enough = (rows: readonly Transaction[]) =>
    clock.isShort() && wholeDays(rows, query) !== null;
  return completed(query, inquiry, await readRows(call, inquiry, clock, enough), inquire);
}

/** The same for a partial statement; null when there is not time for even one day of it. */
export async function readIfTime(
  call: Call,
  query: HistoryQuery,
  inquire: Inquire,
): Promise<Statement | null> {
  const clock = pageClock(call);
  if (clock.isShort()) return null;
  const inquiry = await inquire(query);
  const rows = await readRows(call, inquiry, clock, clock.isShort);
  if (rows.length < inquiry.head.rowCount && wholeDays(rows, query) === null) return null;
  return completed(query, inquiry, rows, inquire);
}

function readRows(
  call: Call,
  inquiry: Inquiry,
  clock: PageClock,
  enough: (rows: readonly Transaction[]) => boolean,
): Promise<Transaction[]> {
  return readPages(call, {
    ...inquiry,
    next: (page, number) => clock.time(inquiry.next(page, number)),
    total: inquiry.head.rowCount,
    step: '거래내역을 읽고 있습니다',
    enough,
  });
}

async function completed(
  query: HistoryQuery,
  { head }: Inquiry,
  rows: readonly Transaction[],
  inquire: Inquire,
): Promise<Statement> {
  const part = rows.length < head.rowCount ? wholeDays(rows, query) : null;
  if (part === null) return { ...head, from: query.from, to: query.to, rows };
  const confirmed = await inquire({ ...query, ...part.period });
  return { ...confirmed.head, ...part.period, rows: withNewest(part.rows, confirmed, query) };
}

interface PageClock {
  time<Page>(opening: Promise<Page> | null): Promise<Page> | null;
  /** Whether there is hardly time for more than finishing. */
  isShort(): boolean;
}

function pageClock(call: Pick<Call, 'timeLeft'>): PageClock {
  let slowest = 0;
  return {
    time(opening) {
      if (opening === null) return null;
      const before = call.timeLeft();
      return opening.finally(() => {
        slowest = Math.max(slowest, before - call.timeLeft());
      });
    },
    isShort: () => call.timeLeft() < Math.max(MIN_RESERVE_MS, RESERVED_PAGES * slowest),
  };
}

/** The rows of the days that were read completely; null when there is no such day. */
function wholeDays(
  rows: readonly Transaction[],
  { from, to, order }: HistoryQuery,
): { readonly rows: readonly Transaction[]; readonly period: Period } | null {
  const open = rows.at(-1);
  if (open === undefined) return null;
  const day = dayOf(open);
  const whole = rows.filter((row) => dayOf(row) !== day);
  if (whole.length === 0) return null;
  const period = order === 'asc' ? { from, to: addDays(day, -1) } : { from: addDays(day, 1), to };
  return { rows: whole, period };
}

function dayOf({ at }: Transaction): string {
  return at.slice(0, 10).replaceAll('-', '');
}

/** Rows that arrived during the reading come first where the newest do. */
function withNewest(
  rows: readonly Transaction[],
  { head, first, rowsOf }: Inquiry,
  { order }: HistoryQuery,
): readonly Transaction[] {
  const missing = order === 'asc' ? 0 : head.rowCount - rows.length;
  return missing <= 0 ? rows : [...rowsOf(first).slice(0, missing), ...rows];
}

/** What part of the requested period a statement leaves out; null when it is complete. */
export function restOf(query: HistoryQuery, { from, to }: Period): Period | null {
  if (from > query.from) return { from: query.from, to: addDays(from, -1) };
  if (to < query.to) return { from: addDays(to, 1), to: query.to };
  return null;
}
