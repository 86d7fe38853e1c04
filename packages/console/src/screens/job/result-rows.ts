import { common } from '../../app/common-texts.ts';
import { count, dateTime } from '../../app/format.ts';
import { visibleText } from '../../app/visible-text.ts';
import { masked, maskedText } from './masked.ts';

export type Row = Readonly<Record<string, unknown>>;

interface SplitResult {
  readonly facts: readonly (readonly [string, unknown])[];
  /** Objects and lists that are not the table. */
  readonly nested: readonly (readonly [string, unknown])[];
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

const KOREAN_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+\+09:00$/;

/** The longest list of objects is the table; everything else is shown above it. */
export function splitResult(data: Row): SplitResult {
  const entries = Object.entries(data);
  const lists = entries.filter((entry): entry is [string, Row[]] => isTable(entry[1]));
  const [table] = lists.toSorted(([, a], [, b]) => b.length - a.length);
  const rest = entries.filter(([name]) => name !== table?.[0]);
  const rows = table?.[1] ?? [];
  return {
    facts: rest.filter(([, value]) => !isNested(value)),
    nested: rest.filter(([, value]) => isNested(value)),
    columns: [...new Set(rows.flatMap((row) => Object.keys(row)))],
    rows,
  };
}

/** The value of a field for people, with personal and account numbers masked. */
export function plainText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return count(value);
  if (typeof value === 'boolean') return value ? common().yes : common().no;
  if (typeof value === 'string' && KOREAN_TIME.test(value)) return dateTime(value);
  return visibleText(
    typeof value === 'string' ? maskedText(name, value) : JSON.stringify(masked(name, value)),
  );
}

function isTable(value: unknown): value is Row[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every(isNested) && !value.some(Array.isArray)
  );
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
