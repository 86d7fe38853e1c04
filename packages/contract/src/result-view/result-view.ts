import { isJsonObject, type JsonFields } from '../json-object.ts';
import { cutTexts } from './cut-texts.ts';
import { type DataTable, dataTable, pick } from './data-table.ts';
import { modelSize } from './model-size.ts';

export const DATA_FORMS = ['rows', 'table', 'totals'] as const;
export type DataForm = (typeof DATA_FORMS)[number];

/** How much of a result a reader wants, and in what form. */
export interface ResultView {
  /** Index of the first row. */
  readonly cursor?: number | undefined;
  /** Maximum number of rows. */
  readonly limit?: number | undefined;
  /** Only these columns. */
  readonly fields?: readonly string[] | undefined;
  /** Absent: rows if they are few, otherwise a table. */
  readonly form?: DataForm | undefined;
}

/** A data view as arguments of a tool. */
export const RESULT_VIEW_PROPERTIES = {
  cursor: { type: 'integer', minimum: 0, description: 'Row to continue from' },
  limit: { type: 'integer', minimum: 1, description: 'Rows at most' },
  fields: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Columns' },
  form: {
    type: 'string',
    enum: DATA_FORMS,
    description: 'totals: no rows',
  },
} as const;

export interface ShownData {
  readonly data: unknown;
  /** Index of the next row; null when none is left. */
  readonly nextCursor: number | null;
  /** What was omitted. */
  readonly notes: readonly string[];
}

/** Tokens of a result's data: below 8,000 with everything around it. */
export const RESULT_BUDGET = 7_500;
/** Up to this many tokens, rows keep their names: a small result is easiest to read unchanged. */
const MAX_NAMED_TOKENS = 5_000;
/** Longer base64 means nothing to a reader and fills the conversation. */
const MAX_BASE64_CHARACTERS = 500;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The requested part of a result that fits: as many rows of its longest list as there is room for.
 * @param budget in tokens, as `modelSize` counts them
 */
export function viewData(whole: unknown, view: ResultView, budget: number): ShownData {
  const wantedFields = new Set(view.fields);
  const data = withoutBase64(whole, wantedFields);
  const list = isJsonObject(data) ? longestList(data) : null;
  if (!isJsonObject(data) || list === null) return fitWhole(data, wantedFields, budget);
  const { name, rows } = list;
  if (view.form === 'totals') {
    const { [name]: _rows, ...totals } = data;
    const shown = fitWhole(totals, wantedFields, budget);
    return { ...shown, notes: [`${name}: ${rows.length} rows not shown`, ...shown.notes] };
  }
  const around = fitAround({ data, name, rows }, wantedFields, budget);
  const room = budget - modelSize(around.data);
  if (room <= 0) return { data: {}, nextCursor: null, notes: [TOO_LARGE] };
  const cursor = view.cursor ?? 0;
  const columns = chosenColumns(rows, view.fields && wantedFields);
  const wanted = rows.slice(cursor, cursor + (view.limit ?? rows.length));
  const chosen = columns.names ? wanted.map((row) => pickRow(row, columns.names)) : wanted;
  const some = formed(chosen, view.form, room);
  const isTooLong = some.count === 0 && chosen.length > 0;
  const shown = isTooLong ? oneRow(chosen[0], wantedFields, room) : { ...some, notes: [] };
  const end = cursor + shown.count;
  const isAll = cursor === 0 && end === rows.length;
  const from = Math.min(cursor + 1, rows.length);
  return {
    data: { ...around.data, [name]: shown.list },
    nextCursor: end < rows.length && shown.count > 0 ? end : null,
    notes: [
      ...(isAll ? [] : [`${name}: rows ${from} to ${end} of ${rows.length}`]),
      ...columns.notes,
      ...new Set([...around.notes, ...shown.notes]),
    ],
  };
}

const TOO_LARGE = 'The data is too large for a tool result; see files, or the command line.';
const TEXTS_CUT = 'Long texts are cut to fit a tool result; the command line shows them whole.';
/** The share of an answer that rows get if they need it, whatever stands around them. */
const SHARE_OF_ROWS = 0.5;
const TOKENS_OF_BRACKETS = 2;

/** What stands around the rows, with room for all of them or some. */
function fitAround(
  {
    data,
    name,
    rows,
  }: { readonly data: JsonFields; readonly name: string; readonly rows: readonly unknown[] },
  wantedFields: ReadonlySet<string>,
  budget: number,
): { readonly data: JsonFields; readonly notes: readonly string[] } {
  const around: JsonFields = { ...data, [name]: [] };
  const isSmall = modelSize(around) <= budget * (1 - SHARE_OF_ROWS);
  if (isSmall || modelSize(data) <= budget) return { data: around, notes: [] };
  const ofRows = Math.min(modelSize(rows) + rows.length, budget * SHARE_OF_ROWS);
  const cut = cutTexts(around, budget - ofRows, wantedFields) ?? around;
  return { data: cut, notes: cut === around ? [] : [TEXTS_CUT] };
}

/** A row that is too long for any answer is shown all the same, so that those after it can be reached. */
function oneRow(row: unknown, wantedFields: ReadonlySet<string>, room: number) {
  const cut = cutTexts(row, room - TOKENS_OF_BRACKETS, wantedFields);
  return { list: [cut ?? {}], count: 1, notes: [cut === null ? TOO_LARGE : TEXTS_CUT] };
}

interface FormedList {
  readonly list: readonly unknown[] | DataTable;
  readonly count: number;
}

function formed(rows: readonly unknown[], form: ResultView['form'], room: number): FormedList {
  const isSmall = modelSize(rows) <= Math.min(MAX_NAMED_TOKENS, room);
  if (form === 'rows' || (form !== 'table' && isSmall) || !rows.every(isJsonObject)) {
    const count = countThatFits(rows, room);
    return { list: rows.slice(0, count), count };
  }
  return tableThatFits(rows, room);
}

const MAX_GUESSES = 12;

/**
 * The longest table found by a few guesses between the rows that fit and those that do not. Fewer rows may share more,
 * so a guess from the size of many falls short.
 */
function tableThatFits(rows: readonly JsonFields[], room: number): FormedList {
  let fits: FormedList = { list: dataTable([]), count: 0 };
  let tooMany = rows.length + 1;
  let count = rows.length;
  for (let guess = 0; guess < MAX_GUESSES && count > fits.count && count < tooMany; guess += 1) {
    const list = dataTable(rows.slice(0, count));
    const size = modelSize(list);
    if (size <= room) fits = { list, count };
    else tooMany = count;
    const aimed = Math.floor((count * room) / size);
    count = Math.min(Math.max(aimed, fits.count + 1), tooMany - 1);
  }
  return fits;
}

function countThatFits(rows: readonly unknown[], room: number): number {
  let left = room;
  const at = rows.findIndex((row) => {
    left -= modelSize(row) + 1;
    return left < 0;
  });
  return at === -1 ? rows.length : at;
}

/** Each row is searched for the names that some row has, not for all that a caller may send. */
function chosenColumns(rows: readonly unknown[], fields: ReadonlySet<string> | undefined) {
  if (!fields) return { names: null, notes: [] };
  const known = new Set(rows.filter(isJsonObject).flatMap((row) => Object.keys(row)));
  const unknown = [...fields].filter((name) => !known.has(name));
  const columns = [...known].join(', ');
  return {
    names: [...fields].filter((name) => known.has(name)),
    notes: unknown.length === 0 ? [] : [`No column ${unknown.join(', ')}; columns: ${columns}`],
  };
}

function pickRow(row: unknown, names: readonly string[] | null): unknown {
  return names && isJsonObject(row) ? pick(row, names) : row;
}

function fitWhole(data: unknown, wantedFields: ReadonlySet<string>, budget: number): ShownData {
  if (data === undefined || data === null) return { data, nextCursor: null, notes: [] };
  const shown = cutTexts(data, budget, wantedFields);
  if (shown === null) return { data: {}, nextCursor: null, notes: [TOO_LARGE] };
  return { data: shown, nextCursor: null, notes: shown === data ? [] : [TEXTS_CUT] };
}

function longestList(data: JsonFields): { name: string; rows: readonly unknown[] } | null {
  let longest: { name: string; rows: readonly unknown[] } | null = null;
  for (const [name, rows] of Object.entries(data)) {
    if (Array.isArray(rows) && rows.length > (longest?.rows.length ?? 0)) longest = { name, rows };
  }
  return longest;
}

/** Bytes in a result represent a file; a reader who wants them names their field. */
function withoutBase64(data: unknown, wanted: ReadonlySet<string>): unknown {
  if (!isJsonObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const isLong = typeof value === 'string' && value.length > MAX_BASE64_CHARACTERS;
      const isBytes = isLong && !wanted.has(name) && BASE64.test(value);
      return [name, isBytes ? `(base64, ${value.length} characters: name it in fields)` : value];
    }),
  );
}
