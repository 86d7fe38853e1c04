import { readableCell } from './cell.ts';
import { type Style, styleStatus } from './style.ts';
import { fit, pad, widthOf } from './width.ts';

export interface TableOptions {
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Never cut: what one copies from here. */
  readonly id: string;
  /** Heading of a column. */
  readonly heading: (column: string) => string;
  /** Columns of the terminal. */
  readonly width: number;
  readonly style: Style;
}

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
const MIN_WIDTH = 8;

/** Rows under headings; where the terminal is too narrow for that, one block of lines per row. */
export function renderTable(rows: readonly Row[], options: TableOptions): string {
  const { columns, id, heading, width, style } = options;
  const cells = rows.map((row) => columns.map((column) => readableCell(row[column])));
  const headings = columns.map(heading);
  const contents = columns.map((_, column) =>
    Math.max(0, ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const widths = shrink(contents, headings.map(widthOf), columns.indexOf(id), width);
  if (!widths) return rows.map((row) => renderRecord(row, options)).join('\n');

  const aligned = columns.map((column) =>
    rows.every((row) => typeof row[column] === 'number') ? 'right' : 'left',
  );
  const line = (words: readonly string[], paint: (text: string, column: number) => string) =>
    words
      .map((word, column) => {
        const room = widths[column] ?? 0;
        const last = column === columns.length - 1;
        const text = fit(word, room);
        return paint(
          last && aligned[column] === 'left' ? text : pad(text, room, aligned[column]),
          column,
        );
      })
      .join(GAP)
      .trimEnd();
  const head = line(headings, (text) => style('bold', text));
  const body = cells.map((row) => line(row, (text) => styleStatus(style, text)));
  return `${[head, ...body].join('\n')}\n`;
}

/** One thing as lines of name and value. */
export function renderRecord(row: Row, { columns, heading, style }: TableOptions): string {
  const shown = columns.filter((column) => row[column] !== undefined);
  const room = Math.max(0, ...shown.map((column) => widthOf(heading(column))));
  const lines = shown.map((column) => {
    const value = styleStatus(style, readableCell(row[column]));
    return `${style('bold', pad(heading(column), room))}${GAP}${value}`;
  });
  return `${lines.join('\n')}\n`;
}

/** Takes from headings, then from the widest columns until the table fits; null when it never will. */
function shrink(
  contents: readonly number[],
  headings: readonly number[],
  kept: number,
  width: number,
): number[] | null {
  const total = (all: readonly number[]) =>
    all.reduce((sum, one) => sum + one, GAP.length * (all.length - 1));
  const natural = contents.map((one, column) => Math.max(one, headings[column] ?? 0));
  if (total(natural) <= width) return natural;
  const widths = contents.map((one, column) =>
    Math.max(one, Math.min(headings[column] ?? 0, MIN_WIDTH)),
  );
  while (total(widths) > width) {
    const candidates = widths.map((one, column) => (column === kept ? 0 : one));
    const widest = Math.max(...candidates);
    if (widest <= MIN_WIDTH) return null;
    widths[candidates.indexOf(widest)] = widest - 1;
  }
  return widths;
}
