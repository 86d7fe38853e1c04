import type { OutputStream } from '../io.ts';
import type { Language } from '../language.ts';
import { safeLine } from '../terminal-text.ts';
import type { Headings } from '../texts/headings.ts';
import type { Texts } from '../texts/ko.ts';
import { type CellSettings, cellLines, readableCell } from './cell.ts';
import type { Shape } from './shape.ts';
import type { Style } from './style.ts';
import { type RenderedTable, renderRecord, renderTable, type TableOptions } from './table.ts';

export interface TablesOptions {
  readonly stdout: OutputStream;
  readonly texts: Texts;
  readonly language: Language;
  readonly headings: Headings;
  readonly style: Style;
}

/** Which columns are shown, and how. */
export interface TableView {
  readonly columns: readonly string[];
  readonly shape: Shape;
  /** Times are relative to this, in milliseconds since the epoch; null leaves them unchanged. */
  readonly now: number | null;
}

type Row = Readonly<Record<string, unknown>>;

/** For terminals of unknown width. */
const DEFAULT_WIDTH = 80;

/** Rows as people read them. Loaded only where a table is printed: widths and headings are a good part of a start. */
export class Tables {
  readonly #options: TablesOptions;

  constructor(options: TablesOptions) {
    this.#options = options;
  }

  record(row: Row, view: TableView): string {
    return renderRecord(row, this.#settings(view));
  }

  table(rows: readonly Row[], view: TableView): RenderedTable {
    return renderTable(rows, this.#settings(view));
  }

  /** The lines below the headings, in so many columns and without colors. */
  lines(rows: readonly Row[], view: TableView, width: number): readonly string[] {
    const { text } = renderTable(rows, {
      ...this.#settings(view),
      width,
      style: (_, plain) => plain,
    });
    return text.trimEnd().split('\n').slice(1);
  }

  #settings({ columns, shape, now }: TableView): TableOptions {
    const { texts, style, stdout, language } = this.#options;
    const { id, asIs = false, texts: textOf = {} } = shape;
    const { whole = [], elastic = [], expendable = [] } = shape;
    const headings = this.#headings(asIs);
    const { yes, no } = texts.output;
    // In English a name of the wire reads well inside a cell.
    const nameOf = (name: string) => (language === 'ko' ? (headings[name] ?? name) : name);
    const settings: CellSettings = { language, yes, no, nameOf, now };
    const named = (value: unknown, column: string) =>
      typeof value === 'string' ? (textOf[column]?.(value, language) ?? value) : value;
    return {
      columns,
      whole: [id, ...whole],
      elastic,
      expendable,
      // In English a name of the wire reads as a heading.
      heading: (column) =>
        headings[column] ??
        safeLine(language === 'en' ? column.replaceAll('_', ' ').toUpperCase() : column),
      cell: (value, column) => readableCell(named(value, column), column, settings),
      lines: (value, column) => cellLines(named(value, column), column, settings),
      width: stdout.columns ?? DEFAULT_WIDTH,
      wrapAt: stdout.columns ?? null,
      style,
    };
  }

  #headings(ofResult: boolean): Readonly<Record<string, string>> {
    const { own, results } = this.#options.headings;
    return ofResult ? { ...own, ...results } : { ...results, ...own };
  }
}
