import type { Statement } from './statement.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const COLUMNS = [
  { header: '거래일시', width: 20 },
  { header: '입금액', width: 15 },
  { header: '출금액', width: 15 },
  { header: '잔액', width: 16 },
  { header: '적요', width: 24 },
  { header: '보낸분/받는분', width: 20 },
  { header: '거래점', width: 16 },
  { header: '송금메모', width: 24 },
];

/** The statement as an .xlsx file: totals at the top, one row per transaction below. */
export async function statementSpreadsheet(statement: Statement): Promise<Uint8Array> {
  // Loaded here because nothing else needs it.
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const rows = [
    ['조회기간', `${statement.from} ~ ${statement.to}`],
    ['이월잔액', statement.openingBalance, '최종잔액', statement.closingBalance],
    ['입금합계', statement.depositTotal, '출금합계', statement.withdrawalTotal],
    [],
    COLUMNS.map(({ header }) => header),
    ...statement.rows.map((row) => [
      row.at.slice(0, 19).replace('T', ' '),
      row.deposit,
      row.withdrawal,
      row.balanceAfter,
      row.description,
      row.counterparty ?? '',
      row.branch ?? '',
      row.memo ?? '',
    ]),
  ].map((row) => row.map(cell));
  const columns = COLUMNS.map(({ width }) => ({ width }));
  const bytes = await writeExcelFile(rows, { sheet: '거래내역', columns }).toBuffer();
  return new Uint8Array(bytes);
}

function cell(value: string | number) {
  return typeof value === 'number' ? { value, format: '#,##0' } : { value };
}
