/** One sheet of a workbook: a header row and data rows. */
export interface Sheet {
  name: string;
  header: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** Milliseconds; stands as the workbook's date. */
  madeAt: number;
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A real .xlsx; the library is loaded on first use. */
export async function spreadsheet({ name, header, rows, madeAt }: Sheet): Promise<Buffer> {
  const { default: exceljs } = await import('exceljs');
  const workbook = new exceljs.Workbook();
  workbook.creator = '모의 기관';
  workbook.created = new Date(madeAt);
  workbook.modified = new Date(madeAt);
  const sheet = workbook.addWorksheet(name);
  sheet.addRow([...header]).font = { bold: true };
  for (const row of rows) sheet.addRow([...row]);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}
