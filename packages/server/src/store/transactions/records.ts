import { type RawBuilder, sql } from 'kysely';
import type { SlotOf } from './compiled.ts';

/** The fields of a record, each with its type in PostgreSQL. */
export type RecordFields = Readonly<Record<string, 'integer' | 'bigint' | 'text' | 'bytea'>>;

/**
 * Many rows as one value of a PostgreSQL statement, in a table `line (n, …)` with a column per field.
 * Bytes travel as base64.
 */
export function records<Row>(json: string): RawBuilder<Row> {
  return sql<Row>`json_to_recordset(cast(${json} as json))`;
}

/** The alias of such a table: its name and its columns. */
export function recordType(fields: RecordFields): RawBuilder<unknown> {
  const columns = Object.entries(fields).map(
    ([name, type]) => sql`${sql.id(name)} ${sql.raw(type === 'bytea' ? 'text' : type)}`,
  );
  return sql`line(n integer, ${sql.join(columns)})`;
}

/** Its columns, in place of the slots of a statement for one row. */
export function columnsOf<Values>(fields: RecordFields): SlotOf<Values> {
  // Like a slot, an expression stands where the statement's types promise a value.
  return ((name: string) => {
    const column = sql.ref(`line.${name}`);
    return fields[name] === 'bytea' ? sql`decode(${column}, 'base64')` : column;
  }) as unknown as SlotOf<Values>;
}

/**
 * That a column is one of these values: for a statement that joins records with a large table. PostgreSQL expects a
 * hundred records, and while the table is small it would rather read all of it, and still do so when it has grown.
 * Of an array it expects ten values, and looks each up.
 */
export function isAmong(
  column: string,
  values: readonly unknown[] | RawBuilder<unknown>,
  type: 'text' | 'bigint',
): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(cast(${values} as ${sql.raw(type)}[]))`;
}

/** The value: numbered rows, of which only these fields are sent. */
export function toRecords(
  fields: RecordFields,
  rows: Iterable<readonly [n: number, row: object]>,
): string {
  const names = Object.keys(fields);
  const binary = names.filter((name) => fields[name] === 'bytea');
  const lines = Array.from(rows, ([n, row]) => {
    const line: Record<string, unknown> = { ...row, n };
    for (const name of binary) line[name] = asText(line[name]);
    return line;
  });
  // The serializer leaves out the rest, which costs a third of copying each field by its name.
  return JSON.stringify(lines, ['n', ...names]);
}

function asText(bytes: unknown): unknown {
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : bytes;
}
