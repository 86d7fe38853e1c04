import type { JobResult } from '@changgu/sdk';
import { type JsonSchema, loadCatalogue } from '@changgu/sdk/catalogue';
import { isJson } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Where a result contains its rows. Derived from the schema, so that an empty result has the same columns. */
export interface ResultLayout {
  /** Name of the list of rows; null when the result has none. */
  readonly rows: string | null;
  readonly columns: readonly string[];
}

export const RESULT: Shape = {
  fields: fieldsOf<JobResult>()([
    'job_id',
    'schema',
    'artifacts',
    'download_url',
    'finished_at',
    'receipt',
    'sandbox',
    'data',
  ]),
  columns: ['job_id'],
  id: 'job_id',
};

/** Names inside data belong to the institution. */
export const PAIRS: Shape = {
  fields: ['name', 'value'],
  columns: ['name', 'value'],
  id: 'name',
  asIs: true,
};

/** The output of `jobs submit --wait` for an action. The data of custom institutions is not known in advance. */
export async function resultShape({ format }: Output, action: string): Promise<Shape> {
  if (isJson(format) || format === 'id') return RESULT;
  const layout = await layoutOf(action);
  if (layout === null) return { fields: null, columns: [], id: '' };
  return layout.rows === null ? PAIRS : rowsShape(layout.columns);
}

export function rowsShape(columns: readonly string[]): Shape {
  return { fields: columns, columns, id: columns[0] ?? '', asIs: true };
}

/** By the schema of a built-in action; null for others. */
export async function layoutOf(action: string): Promise<ResultLayout | null> {
  const { actions } = await loadCatalogue();
  const schema = actions.get(action)?.result;
  if (!schema) return null;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const columns = rowColumns(property);
    if (columns) return { rows: name, columns };
  }
  return { rows: null, columns: [] };
}

/** The first list of objects is the rows; everything else is about them. */
export function layoutOfData(data: Row): ResultLayout {
  const [name, rows] = Object.entries(data).find(([, value]) => isRows(value)) ?? [];
  if (name === undefined || !isRows(rows)) return { rows: null, columns: [] };
  return { rows: name, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))] };
}

/** `<action id>.v<N>` */
export function actionOf({ schema }: Pick<JobResult, 'schema'>): string {
  return schema.replace(/\.v\d+$/, '');
}

function rowColumns({ type, items }: JsonSchema): readonly string[] | null {
  if (![type].flat().includes('array') || typeof items !== 'object' || items === null) return null;
  const properties: unknown = Reflect.get(items, 'properties');
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : null;
}

export function isRows(value: unknown): value is readonly Row[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
  );
}
