import { type Style, styleStatus } from './style.ts';
import { fit, longestWord, pad, widthOf, wrap } from './width.ts';

export interface TableOptions {
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Dropped first when space is short, in this order; then the last ones. */
  readonly expendable: readonly string[];
  /** Never truncated or dropped: what people copy, and what would mislead when truncated. */
  readonly whole: readonly string[];
  /** Truncated like texts, though an id or a time: what the row is read for is elsewhere. */
  readonly elastic: readonly string[];
  /** Heading of a column. */
  readonly heading: (column: string) => string;
  /** A value for people, in one line. */
  readonly cell: (value: unknown, column: string) => string;
  /** The same in a record, where it may take several lines. */
  readonly lines: (value: unknown, column: string) => readonly string[];
  /** Width of the terminal in columns. */
  readonly width: number;
  /** Where the lines of a record are wrapped; null in a pipe. */
  readonly wrapAt: number | null;
  readonly style: Style;
}

export interface RenderedTable {
  readonly text: string;
  /** Columns that did not fit. */
  readonly hidden: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/** One column before the table is fitted to the terminal. */
interface Column {
  readonly name: string;
  readonly heading: string;
  readonly cells: readonly string[];
  readonly whole: boolean;
  readonly align: 'left' | 'right';
  /** A text may be truncated; part of a number or an id would be a different one. */
  readonly elastic: boolean;
  readonly width: number;
}

const GAP = '  ';
/** Part of an id, code or time is misleading or meaningless. */
const UNCUT = /(^|_)(id|code|at|on|after|date|no)$/;
/** Less than this of a text is meaningless. */
const MIN_WIDTH = 10;

/** Rows under headings, with as many columns as fit; if not even two fit, a block of lines for each row. */
export function renderTable(rows: readonly Row[], options: TableOptions): RenderedTable {
  const { expendable, columns, width, style } = options;
  const shown = columns.map((name) => toColumn(name, rows, options));
  const first = [...expendable, ...columns.toReversed()];
  while (shown.length > 1) {
    const fitted = fitColumns(shown, width);
    if (fitted) {
      const hidden = columns.filter((name) => !fitted.some((one) => one.name === name));
      return { text: draw(fitted, rows.length, style), hidden };
    }
    const next = first.find((name) => shown.some((one) => one.name === name && !one.whole));
    if (next === undefined) break;
    shown.splice(
      shown.findIndex(({ name }) => name === next),
      1,
    );
  }
  return { text: rows.map((row) => renderRecord(row, options)).join('\n'), hidden: [] };
}

/** One thing as lines of name and value. */
export function renderRecord(
  row: Row,
  options: Omit<TableOptions, 'whole' | 'elastic' | 'cell' | 'expendable' | 'width'>,
): string {
  const { columns, heading, lines } = options;
  const shown = columns.filter((column) => row[column] !== undefined);
  const room = Math.max(0, ...shown.map((column) => widthOf(heading(column))));
  const text = shown.flatMap((column) =>
    entry(heading(column), lines(row[column], column), room, options),
  );
  return `${text.join('\n')}\n`;
}

/** A name with its lines beside it; below it, where a word has no room there. */
function entry(
  name: string,
  lines: readonly string[],
  room: number,
  { wrapAt, style }: Pick<TableOptions, 'wrapAt' | 'style'>,
): readonly string[] {
  const beside = wrapAt === null ? Number.POSITIVE_INFINITY : wrapAt - room - GAP.length;
  const fits = lines.every((line) => longestWord(line) <= beside);
  if (!fits && wrapAt !== null) {
    const below = lines.flatMap((line) => wrap(line, wrapAt - GAP.length));
    return [style('bold', name), ...below.map((line) => `${GAP}${styleStatus(style, line)}`)];
  }
  return lines
    .flatMap((line) => wrap(line, beside))
    .map((line, index) => {
      const head = index === 0 ? style('bold', pad(name, room)) : ' '.repeat(room);
      return `${head}${GAP}${styleStatus(style, line)}`;
    });
}

function toColumn(
  name: string,
  rows: readonly Row[],
  { heading, cell, whole, elastic }: TableOptions,
): Column {
  const cells = rows.map((row) => cell(row[name], name));
  const values = rows.map((row) => row[name] ?? null).filter((value) => value !== null);
  const numbers = values.length > 0 && values.every((value) => typeof value === 'number');
  const title = heading(name);
  return {
    name,
    heading: title,
    cells,
    whole: whole.includes(name),
    align: numbers ? 'right' : 'left',
    elastic: elastic.includes(name) || (!numbers && !whole.includes(name) && !UNCUT.test(name)),
    width: Math.max(widthOf(title), ...cells.map(widthOf)),
  };
}

/** Shortens the widest texts, all alike, until everything fits; null when it never will. */
function fitColumns(columns: readonly Column[], width: number): Column[] | null {
  const fitted = columns.map((column) => ({ ...column }));
  const total = () =>
    fitted.reduce((sum, column) => sum + column.width, GAP.length * (fitted.length - 1));
  while (total() > width) {
    const widest = fitted
      .filter(({ elastic, width: now }) => elastic && now > MIN_WIDTH)
      .toSorted((a, b) => b.width - a.width)[0];
    if (!widest) return null;
    widest.width -= 1;
  }
  return fitted;
}

function draw(columns: readonly Column[], rows: number, style: Style): string {
  const line = (words: (column: Column) => string, paint: (text: string) => string) =>
    columns
      .map((column, index) => {
        const text = fit(words(column), column.width);
        const last = index === columns.length - 1 && column.align === 'left';
        return paint(last ? text : pad(text, column.width, column.align));
      })
      .join(GAP)
      .trimEnd();
  const head = line(
    ({ heading }) => heading,
    (text) => style('bold', text),
  );
  const body = Array.from({ length: rows }, (_, row) =>
    line(
      ({ cells }) => cells[row] ?? '',
      (text) => styleStatus(style, text),
    ),
  );
  return `${[head, ...body].join('\n')}\n`;
}
