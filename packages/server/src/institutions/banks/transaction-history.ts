import { bankPeriod } from '@changgu/contract';
import { kstDay } from '../../rules/kst.ts';
import type { Call, Connector, JsonObject } from '../connector.ts';
import { textParam } from '../params.ts';
import { selectedAccount } from './quick-inquiry.ts';
import { restOf } from './read-statement.ts';
import { assertAddsUp, type Direction, type HistoryQuery, type Statement } from './statement.ts';
import { statementSpreadsheet, XLSX_TYPE } from './statement-spreadsheet.ts';

const REST =
  '조회할 거래가 많아 기간의 일부만 조회했습니다. 나머지 기간은 from_date와 to_date에 이 값을 넣어 다시 조회하십시오.';

/** Reads the requested history, all pages that time allows, in the requested order. */
export type HistoryReader = (call: Call, query: HistoryQuery) => Promise<Statement>;

/** `<bank>.accounts.transaction_history.search`: the rows, and the same as a spreadsheet. */
export function transactionHistory(read: HistoryReader): Connector {
  return async (call) => {
    const query = queryOf(call);
    const statement = await read(call, query);
    assertAddsUp(statement, query);
    await call.artifacts.add({
      bytes: await statementSpreadsheet(statement),
      contentType: XLSX_TYPE,
      extension: 'xlsx',
      // Distinguishes the files of an all-accounts call.
      qualifier: selectedAccount(call).accountNumber.slice(-4),
    });
    return resultOf(call, statement, nextOf(query, statement));
  };
}

function queryOf({ params, submittedAt }: Call): HistoryQuery {
  const { from, to } = bankPeriod(params, kstDay(submittedAt).replaceAll('-', ''));
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

/** How to request the part that this job had no time for; null when nothing is left. */
function nextOf(query: HistoryQuery, statement: Statement): JsonObject | null {
  const rest = restOf(query, statement);
  return rest && { from_date: rest.from, to_date: rest.to, message: REST };
}

function resultOf(call: Call, statement: Statement, next: JsonObject | null): JsonObject {
  const { from, to } = statement;
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
    next,
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
