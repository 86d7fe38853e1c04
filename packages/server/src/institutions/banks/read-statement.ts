import { addDays } from '@changgu/contract';
import type { Call } from '../connector.ts';
import { type PagedList, readPages } from '../portal/pager.ts';
import type { HistoryQuery, Period, Statement, StatementHead, Transaction } from './statement.ts';

/** An answered inquiry: its totals and its pages of rows. */
export interface Inquiry
  extends Pick<PagedList<Transaction>, 'first' | 'totalOf' | 'rowsOf' | 'next'> {
  readonly head: StatementHead;
}

/** The least to keep for the spreadsheet and for writing the result, besides what the bank needs. */
const MIN_RESERVE_MS = 10_000;

type Inquire = (query: HistoryQuery) => Promise<Inquiry>;

/** Reads statements one after the other, as long as the job has time. */
export interface StatementReader {
  /**
   * The statement of a period, all pages of it. If the job runs out of time, the statement covers as
   * many whole days as were read, with the totals that the bank prints for them.
   */
  read(query: HistoryQuery): Promise<Statement>;
  /** The same for a further period; null when there is not time for even one day of it. */
  readIfTime(query: HistoryQuery): Promise<Statement | null>;
}

export function statementReader(call: Call, inquire: Inquire): StatementReader {
  const clock = bankClock(call);
  const open = (query: HistoryQuery) => clock.timeInquiry(() => inquire(query));

  return {
    async read(query) {
      const inquiry = await open(query);
      const enough = (rows: readonly Transaction[]) =>
        clock.isShort() && wholeDays(rows, query) !== null;
      return completed(query, inquiry, await readRows(call, inquiry, clock, enough), open);
    },
    async readIfTime(query) {
      if (clock.isShortForAnother()) return null;
      const inquiry = await open(query);
      const rows = await readRows(call, inquiry, clock, clock.isShort);
      if (rows.length < inquiry.head.rowCount && wholeDays(rows, query) === null) return null;
      return completed(query, inquiry, rows, open);
    },
  };
}

/** One statement, as by `StatementReader.read`. */
export function readStatement(
  call: Call,
  query: HistoryQuery,
  inquire: Inquire,
): Promise<Statement> {
  return statementReader(call, inquire).read(query);
}

function readRows(
  call: Call,
  inquiry: Inquiry,
  clock: BankClock,
  enough: (rows: readonly Transaction[]) => boolean,
): Promise<Transaction[]> {
  return readPages(call, {
    ...inquiry,
    next: (page, number) => clock.timePage(inquiry.next(page, number)),
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

/** How long this bank takes, by the slowest so far: a slow one stays slow. */
interface BankClock {
  timeInquiry<Result>(inquiring: () => Promise<Result>): Promise<Result>;
  timePage<Page>(opening: Promise<Page> | null): Promise<Page> | null;
  /** Whether another page would leave too little for the inquiry that confirms a part. */
  isShort(): boolean;
  /** Whether there is too little for another inquiry and its confirmation. */
  isShortForAnother(): boolean;
}

function bankClock({ timeLeft }: Pick<Call, 'timeLeft'>): BankClock {
  let slowestPage = 0;
  let slowestInquiry = 0;

  async function timed<Result>(work: Promise<Result>, note: (ms: number) => void): Promise<Result> {
    const before = timeLeft();
    return work.finally(() => note(before - timeLeft()));
  }

  /** One page more than those that are sure to come, in case the bank becomes slower. */
  const needed = () => slowestInquiry + Math.max(MIN_RESERVE_MS, 2 * slowestPage);

  return {
    timeInquiry: (inquiring) =>
      timed(inquiring(), (ms) => {
        slowestInquiry = Math.max(slowestInquiry, ms);
      }),
    timePage: (opening) =>
      opening &&
      timed(opening, (ms) => {
        slowestPage = Math.max(slowestPage, ms);
      }),
    isShort: () => timeLeft() < needed(),
    isShortForAnother: () => timeLeft() < slowestInquiry + needed(),
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
