import { toWireCase } from '@changgu/sdk';
import { nearest } from '@changgu/sdk/catalogue';
import { usageError } from '../cli-error.ts';
import { type OutputStream, write } from '../io.ts';
import { safeJson } from '../terminal-text.ts';
import type { Texts } from '../texts/ko.ts';
import { plainCell } from './cell.ts';
import type { Format } from './format.ts';
import type { Style } from './style.ts';
import { renderRecord, renderTable } from './table.ts';

/** How things of one kind are shown: their names as on the wire. */
export interface Shape {
  readonly columns: readonly string[];
  /** The name that stands for the whole thing with `-o id`. */
  readonly id: string;
  /** Shown of a single thing; default: all that it has. */
  readonly details?: readonly string[];
  /** Names belong to an institution and stay as they are. */
  readonly asIs?: true;
}

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly format: Format;
  /** Only these names, with any format. */
  readonly fields: readonly string[] | null;
  readonly texts: Texts;
  readonly style: Style;
}

type Row = Readonly<Record<string, unknown>>;

/** Terminals of unknown width. */
const DEFAULT_WIDTH = 80;

/** Writes data to stdout, and only data. Everything has the names of the wire, whatever its case in TypeScript. */
export class Output {
  readonly format: Format;
  readonly #options: OutputOptions;
  /** ndjson and tsv of several calls go on in one stream; a second JSON document would not be one. */
  #documentWritten = false;

  constructor(options: OutputOptions) {
    this.format = options.format;
    this.#options = options;
  }

  /** Whether this output would not have the name in it. */
  leavesOut(name: string, { id }: Shape): boolean {
    if (this.format === 'id') return name !== id;
    return this.#options.fields?.includes(name) === false;
  }

  /** One thing. */
  async item(value: object, shape: Shape): Promise<void> {
    const row = this.#row(value, shape);
    switch (this.format) {
      case 'table':
        return this.text(
          renderRecord(row, this.#table(this.#names(shape.details ?? Object.keys(row)), shape.id)),
        );
      case 'json':
        return this.#document(this.#picked(row));
      default:
        return this.#line(row, shape);
    }
  }

  /** Many things. A table waits for the last one; every other format writes each as it comes. */
  async list(values: Iterable<object> | AsyncIterable<object>, shape: Shape): Promise<void> {
    const rows: Row[] = [];
    for await (const value of values) {
      const row = this.#row(value, shape);
      if (this.format === 'table' || this.format === 'json') rows.push(row);
      else await this.#line(row, shape);
    }
    if (this.format === 'json') return this.#document(rows.map((row) => this.#picked(row)));
    if (this.format !== 'table') return;
    const { texts } = this.#options;
    if (rows.length === 0) return this.text(`${texts.output.empty}\n`);
    await this.text(renderTable(rows, this.#table(this.#names(shape.columns), shape.id)));
  }

  /** One of several things that come over time: a line each, also with `-o json` and on a terminal. */
  async change(value: object, shape: Shape): Promise<void> {
    const row = this.#row(value, shape);
    if (this.format === 'json') await this.text(`${json(this.#picked(row))}\n`);
    else await this.#line(row, shape);
  }

  /** A value of any shape: JSON in every format. */
  async document(value: unknown): Promise<void> {
    if (this.format === 'ndjson') return this.text(`${json(value)}\n`);
    await this.#document(value);
  }

  /** Text that is the data itself. */
  async text(text: string): Promise<void> {
    await write(this.#options.stdout, text);
  }

  #row(value: object, { asIs }: Shape): Row {
    const row = (asIs ? value : toWireCase(value)) as Row;
    this.#checkFields(row);
    return row;
  }

  async #line(row: Row, { columns, id }: Shape): Promise<void> {
    if (this.format === 'ndjson') return this.text(`${json(this.#picked(row))}\n`);
    const names = this.format === 'id' ? [id] : this.#names(columns);
    await this.text(`${names.map((name) => plainCell(row[name])).join('\t')}\n`);
  }

  async #document(value: unknown): Promise<void> {
    if (this.#documentWritten) throw new Error('a second JSON document');
    this.#documentWritten = true;
    await this.text(`${safeJson(JSON.stringify(value, null, 2))}\n`);
  }

  #names(all: readonly string[]): readonly string[] {
    return this.#options.fields ?? all;
  }

  #picked(row: Row): Row {
    const { fields } = this.#options;
    return fields ? Object.fromEntries(fields.map((name) => [name, row[name] ?? null])) : row;
  }

  #checkFields(row: Row): void {
    const { fields, texts } = this.#options;
    const names = Object.keys(row);
    const unknown = fields?.find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const meant = nearest(unknown, names);
    throw usageError(
      texts.output.unknownField(unknown),
      ...(meant === null ? [] : [texts.didYouMean(meant)]),
      texts.output.fields(names.join(', ')),
    );
  }

  #table(columns: readonly string[], id: string) {
    const { texts, style, stdout } = this.#options;
    const headings: Readonly<Record<string, string>> = texts.headings;
    return {
      columns,
      id,
      heading: (column: string) => headings[column] ?? column,
      width: stdout.columns ?? DEFAULT_WIDTH,
      style,
    };
  }
}

function json(value: unknown): string {
  return safeJson(JSON.stringify(value));
}
