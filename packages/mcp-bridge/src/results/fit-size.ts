import { isJsonObject, type JsonObject } from '../json-object.ts';

/** Characters of JSON that a result may have: hosts cut at about 25,000 tokens, and long ones cost the reader. */
export const RESULT_BUDGET = 20_000;

export interface Fitted {
  readonly data: unknown;
  /** Row to go on from; null when nothing was left out. */
  readonly nextCursor: number | null;
  readonly warnings: readonly string[];
}

/**
 * The part of a result that fits: of its longest list the rows from `cursor` on, as many as there is room for.
 * @param budget characters of JSON
 */
export function fitData(data: unknown, cursor: number, budget: number): Fitted {
  const list = isJsonObject(data) ? longestList(data) : null;
  if (!isJsonObject(data) || list === null) return fitWhole(data, budget);
  const room = budget - JSON.stringify({ ...data, [list.name]: [] }).length;
  if (room <= 0) return fitWhole(null, budget);
  const shown = rowsThatFit(list.rows, cursor, room);
  const end = cursor + shown.length;
  const isAll = cursor === 0 && end === list.rows.length;
  const [from, to] = [Math.min(cursor + 1, list.rows.length), end];
  return {
    data: { ...data, [list.name]: shown },
    nextCursor: end < list.rows.length && shown.length > 0 ? end : null,
    warnings: isAll ? [] : [`${list.name}: rows ${from} to ${to} of ${list.rows.length}`],
  };
}

function fitWhole(data: unknown, budget: number): Fitted {
  if (data !== null && JSON.stringify(data ?? null).length <= budget) {
    return { data, nextCursor: null, warnings: [] };
  }
  const warnings = ['The data is too large for a tool result; see files, or the command line.'];
  return { data: {}, nextCursor: null, warnings: data === undefined ? [] : warnings };
}

function longestList(data: JsonObject): { name: string; rows: readonly unknown[] } | null {
  let longest: { name: string; rows: readonly unknown[] } | null = null;
  for (const [name, rows] of Object.entries(data)) {
    if (Array.isArray(rows) && rows.length > (longest?.rows.length ?? 0)) longest = { name, rows };
  }
  return longest;
}

function rowsThatFit(rows: readonly unknown[], from: number, room: number): readonly unknown[] {
  let left = room;
  let end = from;
  for (; end < rows.length; end += 1) {
    left -= JSON.stringify(rows[end]).length + 1;
    if (left < 0) break;
  }
  return rows.slice(from, end);
}
