/** One sheet of a workbook: a header row and data rows. */
export interface Sheet {
  name: string;
  header: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A real .xlsx; the library is loaded on first use. */
export async function spreadsheet({ name, header, rows }: Sheet): Promise<Buffer> {
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const headers = header.map((value) => ({ value, fontWeight: 'bold' as const }));
  const data = rows.map((row) => row.map((value) => ({ value })));
  return writeExcelFile([headers, ...data], { sheet: name }).toBuffer();
}
