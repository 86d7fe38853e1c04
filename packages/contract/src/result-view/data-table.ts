type Row = Readonly<Record<string, unknown>>;

/** Rows without their names: cells are in the order of `columns`. */
export interface DataTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Columns with the same value in all rows. */
  readonly same?: Row;
  /** The times' UTC offset, left out of the cells, whose times have the short form: 20261101T180211. */
  readonly time_zone?: string;
  /** The columns written by others, row by row as in `rows`. */
  readonly untrusted_text?: Pick<DataTable, 'columns' | 'rows'>;
}

/** With fewer rows, a common value means nothing. */
const MIN_ROWS_WITH_SAME = 2;
const KOREAN_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.000)?\+09:00$/;

/** Flat rows as a table; text written by others is kept apart under one mark. */
export function dataTable(rows: readonly Row[]): DataTable {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isSame = (name: string) =>
    rows.length >= MIN_ROWS_WITH_SAME && new Set(rows.map((row) => keyOf(row[name]))).size === 1;
  const isTime = (name: string) => rows.every((row) => timeOf(row[name]) !== undefined);
  const same = names.filter(isSame);
  const varying = names.filter((name) => !isSame(name));
  const untrusted = varying.filter((name) => isUntrustedColumn(rows, name));
  const own = varying.filter((name) => !untrusted.includes(name));
  const times = new Set(own.filter(isTime));
  const cell = (row: Row, name: string) =>
    times.has(name) ? timeOf(row[name]) : (row[name] ?? null);
  return {
    columns: own,
    rows: rows.map((row) => own.map((name) => cell(row, name))),
    ...(same.length === 0 ? {} : { same: pick(rows[0] ?? {}, same) }),
    ...(times.size === 0 ? {} : { time_zone: '+09:00' }),
    ...(untrusted.length === 0
      ? {}
      : {
          untrusted_text: {
            columns: untrusted,
            rows: rows.map((row) => untrusted.map((name) => wordsOf(row[name]))),
          },
        }),
  };
}

export function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]),
  );
}

function keyOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** ISO 8601 without separators, because each of them is a token. */
function timeOf(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string' || !KOREAN_TIME.test(value)) return undefined;
  return value.replace(KOREAN_TIME, '$1$2$3T$4$5$6');
}

/** A cell of a text column is text or null, and at least one is text. */
function isUntrustedColumn(rows: readonly Row[], name: string): boolean {
  const cells = rows.map((row) => row[name] ?? null);
  return (
    cells.some((cell) => cell !== null) &&
    cells.every((cell) => cell === null || wordsOf(cell) !== null)
  );
}

function wordsOf(cell: unknown): string | null {
  if (typeof cell !== 'object' || cell === null || !('untrusted_text' in cell)) return null;
  return typeof cell.untrusted_text === 'string' ? cell.untrusted_text : null;
}
