import { bankPeriod } from '@changgu/contract';
import { kstDay } from '../../rules/kst.ts';
import type { Call, Connector, JsonObject } from '../connector.ts';
import { textParam } from '../params.ts';
import { selectedAccount } from './quick-inquiry.ts';
import { assertAddsUp, type Direction, type HistoryQuery, type Statement } from './statement.ts';
import { statementSpreadsheet, XLSX_TYPE } from './statement-spreadsheet.ts';

/** Reads the whole history that is asked for, all pages, in the order asked for. */
export type HistoryReader = (call: Call, query: HistoryQuery) => Promise<Statement>;

/** `<bank>.accounts.transaction_history.search` (D76): the rows, and the same as a spreadsheet (D74). */
export function transactionHistory(read: HistoryReader): Connector {
  return async (call) => {
    const query = await queryOf(call);
    const statement = await read(call, query);
    assertAddsUp(statement, query);
    await call.artifacts.add({
      bytes: await statementSpreadsheet(statement, query),
      contentType: XLSX_TYPE,
      extension: 'xlsx',
      // Tells the files of an all-accounts call apart.
      qualifier: selectedAccount(call).accountNumber.slice(-4),
    });
    return resultOf(call, query, statement);
  };
}

async function queryOf({ params, clock }: Call): Promise<HistoryQuery> {
  const today = kstDay(await clock.now()).replaceAll('-', '');
  const { from, to } = bankPeriod(params, today);
  return {
    from,
    to,
    direction: directionOf(textParam(params, 'direction')),
    order: textParam(params, 'order') === 'asc' ? 'asc' : 'desc',
  };
}

function directionOf(param: string | null): Direction {
  return param === 'in' || param === 'out' ? param : 'all';
}

function resultOf(call: Call, { from, to }: HistoryQuery, statement: Statement): JsonObject {
  const account = selectedAccount(call);
  return {
    success: true,
    bank_account_credential_id: account.id,
    masked_account_no: account.maskedAccountNumber,
    currency: 'KRW',
    from_date: from,
    to_date: to,
    opening_balance: statement.openingBalance,
    closing_balance: statement.closingBalance,
    deposit_total: statement.depositTotal,
    withdrawal_total: statement.withdrawalTotal,
    row_count: statement.rows.length,
    items: statement.rows.map((row, index) => ({
      row_index: index + 1,
      transacted_at: row.at,
      deposit_amount: row.deposit,
      withdrawal_amount: row.withdrawal,
      balance_after: row.balanceAfter,
      description: row.description,
      counterparty: row.counterparty,
      branch: row.branch,
      memo: row.memo,
    })),
  };
}
