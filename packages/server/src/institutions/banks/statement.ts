import { brokenPage } from '../portal/page.ts';

export type Direction = 'all' | 'in' | 'out';

/** YYYYMMDD, both days inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export interface HistoryQuery extends Period {
  readonly direction: Direction;
  readonly order: 'desc' | 'asc';
}

/** What a bank prints above a list of transactions; amounts in won. */
export interface StatementHead {
  readonly openingBalance: number;
  readonly closingBalance: number;
  readonly depositTotal: number;
  readonly withdrawalTotal: number;
  /** Transactions that match the direction. */
  readonly rowCount: number;
}

export interface Transaction {
  /** ISO 8601, Korean time. */
  readonly at: string;
  readonly deposit: number;
  readonly withdrawal: number;
  readonly balanceAfter: number;
  readonly description: string;
  readonly counterparty: string | null;
  readonly branch: string | null;
  readonly memo: string | null;
}

/** The statement of its period, which may be part of the requested one. */
export interface Statement extends StatementHead, Period {
  /** In the order of the query. */
  readonly rows: readonly Transaction[];
}

/**
 * Numbers that do not add up mean that the statement was read or printed wrongly; it must not be delivered.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR
 */
export function assertAddsUp(statement: Statement, { direction, order }: HistoryQuery): void {
  const { openingBalance, closingBalance, depositTotal, withdrawalTotal, rows } = statement;
  const right =
    rows.length === statement.rowCount &&
    openingBalance + depositTotal - withdrawalTotal === closingBalance &&
    (direction === 'out' || sum(rows, 'deposit') === depositTotal) &&
    (direction === 'in' || sum(rows, 'withdrawal') === withdrawalTotal) &&
    (direction !== 'all' || isChain(order === 'asc' ? rows : rows.toReversed(), openingBalance));
  if (!right) throw brokenPage();
}

/** balance = previous balance + in − out */
function isChain(oldestFirst: readonly Transaction[], opening: number): boolean {
  let balance = opening;
  return oldestFirst.every(({ deposit, withdrawal, balanceAfter }) => {
    balance += deposit - withdrawal;
    return balance === balanceAfter;
  });
}

function sum(rows: readonly Transaction[], side: 'deposit' | 'withdrawal'): number {
  return rows.reduce((total, row) => total + row[side], 0);
}
