import { escapeControls } from '@changgu/contract/harmless-text';
import { toWireCase } from '@changgu/sdk';
import { CliError, usageError } from '../cli-error.ts';
import type { GlobalOptions } from '../global-options.ts';
import { OutputError, type OutputStream, write } from '../io.ts';
import type { Language } from '../language.ts';
import { safeLine } from '../terminal-text.ts';
import type { Texts } from '../texts/ko.ts';
import type { Intent } from '../write-gate.ts';
import { plainCell } from './cell.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv.ts';
import { type Format, isJson } from './format.ts';
import type { Filter } from './jq.ts';
import type { Prints, Shape } from './shape.ts';
import type { Style } from './style.ts';
import type { RenderedTable } from './table.ts';
import type { Tables, TableView } from './tables.ts';
import { unknownField } from './unknown-field.ts';

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly format: Format;
  readonly globals: Pick<GlobalOptions, 'output' | 'json' | 'fields' | 'jq' | 'header' | 'bom'>;
  readonly texts: Texts;
  readonly language: Language;
  readonly style: Style;
  readonly now: () => number;
  /** Called with the columns that did not fit on the terminal. */
  readonly onHidden: (columns: readonly string[]) => Promise<void>;
}

/** One line of a list to choose from. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

type Row = Readonly<Record<string, unknown>>;

/** Writes data to stdout, and only data. Everything uses the API's field names. */
export class Output {
  readonly format: Format;
  readonly #options: OutputOptions;
  readonly #fields: readonly string[] | null;
  #filter: Filter | null = null;
  #tables: Promise<Tables> | null = null;
  #headerWritten = false;
  /** ndjson and tsv of several calls form one stream; a second JSON document would not. */
  #documentWritten = false;

  constructor(options: OutputOptions) {
    this.format = options.format;
    this.#options = options;
    this.#fields = options.globals.fields ?? null;
  }

  /** Only some fields were requested. */
  get hasFields(): boolean {
    return this.#fields !== null;
  }

  /** A format was requested, or something that only some formats have. */
  get isFormatGiven(): boolean {
    return this.#formatOptions.length > 0;
  }

  /** Those that were typed. */
  get #formatOptions(): readonly string[] {
    const { output, json, jq, header, bom } = this.#options.globals;
    const options = { '-o': output, '--json': json, '--jq': jq, '--header': header, '--bom': bom };
    return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  }

  /** The same output in another format, for a command whose usual one is not that of the others. */
  as(format: Format): Output {
    return new Output({ ...this.#options, format });
  }

  /** Checks the output options before anything is done. @throws usage error for an impossible combination */
  async expect(prints: Prints): Promise<void> {
    const { globals, texts } = this.#options;
    const { output } = texts;
    if (globals.header && this.format !== 'tsv' && this.format !== 'csv') {
      throw usageError(output.needsFormat('--header', 'tsv, csv'));
    }
    if (globals.bom && this.format !== 'csv') throw usageError(output.needsFormat('--bom', 'csv'));
    if (typeof prints === 'string') this.#expectOther(prints);
    else await this.#expectShape(prints);
    if (globals.jq === undefined) return;
    if (!isJson(this.format)) throw usageError(output.needsFormat('--jq', 'json, ndjson'));
    this.#filter = await (await import('./jq.ts')).compileFilter(globals.jq, texts);
  }

  /** One thing. */
  async item(value: object, shape: Shape): Promise<void> {
    const row = await this.#row(value, shape);
    await naming(row, shape, this.#item(row, shape));
  }

  async #item(row: Row, shape: Shape): Promise<void> {
    switch (this.format) {
      case 'table': {
        const columns = this.#names(shape.details ?? Object.keys(row));
        const tables = await this.#loadTables();
        return this.text(tables.record(row, { columns, shape, now: null }));
      }
      case 'json':
        return this.#document(this.#picked(row));
      default:
        return this.#line(row, shape);
    }
  }

  /** One value, for `$(…)`: alone, unless a format with names was requested. */
  async value(value: object, shape: Shape): Promise<void> {
    const output = this.format === 'table' && !this.hasFields ? this.as('id') : this;
    await output.item(value, shape);
  }

  /** Many things. A table waits for the last one; every other format writes each one as it comes. */
  async list(values: Iterable<object> | AsyncIterable<object>, shape: Shape): Promise<void> {
    const rows: Row[] = [];
    await this.#header(shape);
    for await (const value of values) {
      const row = await this.#row(value, shape);
      if (this.format === 'table' || this.format === 'json') rows.push(row);
      else await this.#line(row, shape);
    }
    if (this.format === 'json') return this.#document(rows.map((row) => this.#picked(row)));
    if (this.format !== 'table') return;
    const { texts, onHidden } = this.#options;
    if (rows.length === 0) return this.text(`${texts.output.empty}\n`);
    const { text, hidden } = await this.#rendered(rows, shape);
    await this.text(text);
    if (hidden.length > 0) await onHidden(hidden);
  }

  /** The lines of a table, not written. */
  async lines(values: readonly object[], shape: Shape): Promise<readonly string[]> {
    const rows = await Promise.all(values.map((value) => this.#row(value, shape)));
    const { text } = await this.#rendered(rows, shape);
    return text.trimEnd().split('\n');
  }

  /** The lines of a table without headings, each with its id, for choosing. */
  async choices(
    values: readonly object[],
    shape: Shape,
    width: number,
  ): Promise<readonly Choice[]> {
    const rows = values.map((value) => toWireCase(value) as Row);
    const tables = await this.#loadTables();
    const view: TableView = { columns: shape.columns, shape, now: this.#options.now() };
    const lines = tables.lines(rows, view, width);
    const fits = lines.length === rows.length;
    return rows.map((row, index) => {
      const value = plainCell(row[shape.id]);
      return { value, label: fits ? (lines[index] ?? value) : value };
    });
  }

  /** One of several things that arrive over time: one line each, also with `-o json` and on a terminal. */
  async change(value: object, shape: Shape): Promise<void> {
    const row = await this.#row(value, shape);
    if (this.format === 'json') await naming(row, shape, this.#jsonLine(this.#picked(row)));
    else await this.#line(row, shape);
  }

  /** A value of any shape: JSON in every format. */
  async document(value: unknown): Promise<void> {
    if (this.format === 'ndjson') return this.#jsonLine(value);
    await this.#document(value);
  }

  /** What a dry run would have done, complete, whatever fields were requested. */
  async intent(intent: Intent): Promise<void> {
    const space = this.format === 'ndjson' ? undefined : 2;
    await this.text(`${escapeControls(JSON.stringify(intent, null, space))}\n`);
  }

  /** Text for people, wrapped at a terminal. */
  async paragraph(text: string): Promise<void> {
    const { wrap } = await import('./width.ts');
    const { columns = Number.POSITIVE_INFINITY } = this.#options.stdout;
    await this.text(`${wrap(safeLine(text), columns).join('\n')}\n`);
  }

  /** Text that is the data itself. */
  async text(text: string): Promise<void> {
    await write(this.#options.stdout, text);
  }

  /**
   * Without a shape, a format may not fit. Of nothing every one does: scripts ask for errors as JSON. A refusal names
   * an option that was typed.
   */
  #expectOther(prints: Exclude<Prints, Shape>): void {
    const { globals, texts } = this.#options;
    const { notApplied, notForFile, onlyFormats } = texts.output;
    if (this.#fields !== null) {
      throw usageError(notApplied(globals.json ? '--fields (--json=…)' : '--fields'));
    }
    if (prints !== 'document' && globals.jq !== undefined) throw usageError(notApplied('--jq'));
    const [option] = this.#formatOptions;
    if (option === undefined || prints === 'nothing') return;
    if (prints === 'bytes') throw usageError(notForFile(option));
    if (isJson(this.format)) return;
    throw usageError(option === '-o' ? onlyFormats('json, ndjson') : notApplied(option));
  }

  async #expectShape({ fields, keep = [], id }: Shape): Promise<void> {
    const { texts } = this.#options;
    if (fields) await this.#checkFields(fields);
    const lost = keep.find((name) =>
      this.format === 'id' ? name !== id : this.#fields?.includes(name) === false,
    );
    if (lost !== undefined || (keep.length > 0 && this.#options.globals.jq !== undefined)) {
      throw usageError(texts.accounts.secretLost);
    }
  }

  async #row(value: object, { asIs, fields }: Shape): Promise<Row> {
    const row = (asIs ? value : toWireCase(value)) as Row;
    if (fields === null) await this.#checkFields(Object.keys(row));
    return row;
  }

  async #header({ columns, fields }: Shape): Promise<void> {
    const { header, bom } = this.#options.globals;
    if (this.#headerWritten) return;
    this.#headerWritten = true;
    // Without a row, only the columns of unknown data are known.
    if (fields === null && columns.length === 0) return;
    const names = this.#names(columns);
    if (this.format === 'tsv' && header) await this.text(`${names.map(plainCell).join('\t')}\n`);
    if (this.format !== 'csv') return;
    await this.text(`${bom ? BYTE_ORDER_MARK : ''}${csvLine(names, bom === true)}`);
  }

  async #line(row: Row, shape: Shape): Promise<void> {
    await this.#header(shape);
    if (this.format === 'ndjson') return naming(row, shape, this.#jsonLine(this.#picked(row)));
    if (this.format === 'id') return this.text(`${plainCell(row[shape.id])}\n`);
    const values = this.#names(shape.columns).map((name) => row[name]);
    await this.text(
      this.format === 'csv'
        ? csvLine(values, this.#options.globals.bom === true)
        : `${values.map(plainCell).join('\t')}\n`,
    );
  }

  async #jsonLine(value: unknown): Promise<void> {
    if (this.#filter) return this.text(await this.#filter(value, { pretty: false }));
    await this.text(`${escapeControls(JSON.stringify(value))}\n`);
  }

  async #document(value: unknown): Promise<void> {
    if (this.#documentWritten) throw new Error('a second JSON document');
    this.#documentWritten = true;
    if (this.#filter) return this.text(await this.#filter(value, { pretty: true }));
    await this.text(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
  }

  async #rendered(rows: readonly Row[], shape: Shape): Promise<RenderedTable> {
    const { stdout, now } = this.#options;
    // Institutions' texts keep their times; and relative times are only useful while someone is watching.
    const isRelative = stdout.isTTY === true && !shape.asIs && !shape.exactTimes;
    const tables = await this.#loadTables();
    return tables.table(rows, {
      columns: this.#names(shape.columns),
      shape,
      now: isRelative ? now() : null,
    });
  }

  #loadTables(): Promise<Tables> {
    this.#tables ??= loadTables(this.#options);
    return this.#tables;
  }

  #names(all: readonly string[]): readonly string[] {
    return this.#fields ?? all;
  }

  #picked(row: Row): Row {
    const fields = this.#fields;
    return fields ? Object.fromEntries(fields.map((name) => [name, row[name] ?? null])) : row;
  }

  async #checkFields(names: readonly string[]): Promise<void> {
    const unknown = this.#fields?.find((name) => !names.includes(name));
    if (unknown !== undefined) throw await unknownField(unknown, names, this.#options.texts);
  }
}

/** Where the output or its filter fails, what was to be printed may have just been made: its id must not be lost. */
async function naming(row: Row, { id }: Shape, written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    const name = row[id];
    if (name === null || name === undefined) throw error;
    if (error instanceof OutputError) throw new OutputError(error, { [id]: name });
    if (!(error instanceof CliError)) throw error;
    const { code, message, exitCode, hints } = error;
    const next = id === 'job_id' ? [`changgu jobs get ${plainCell(name)}`] : [];
    throw new CliError(code, message, exitCode, [...hints, ...next], { [id]: name });
  }
}

async function loadTables({ stdout, texts, language, style }: OutputOptions): Promise<Tables> {
  const { Tables } = await import('./tables.ts');
  const { headingsIn } = await import('../texts/headings.ts');
  const headings = await headingsIn(language);
  return new Tables({ stdout, texts, language, headings, style });
}
