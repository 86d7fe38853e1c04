import type { Language } from '../language.ts';
import { safeLine } from '../terminal-text.ts';
import { relativeTime } from './relative-time.ts';

/** A value as one line of text, complete and exact: for programs. */
export function plainCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return safeLine(value);
  return safeLine(JSON.stringify(value) ?? '');
}

/** How cells are written for people. */
export interface CellSettings {
  readonly language: Language;
  readonly yes: string;
  readonly no: string;
  /** What people call a part of a value. */
  readonly nameOf: (name: string) => string;
  /** Times are relative to this, in milliseconds since the epoch; null leaves them unchanged. */
  readonly now: number | null;
}

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?\+09:00$/;
/** Numbers that identify instead of count. */
const NAMING = /(^|_)(id|no|number|code|year|index|port|version)$/;

/** For people: no JSON, thousands separators, times without the parts that all of the service's times share. */
export function readableCell(value: unknown, column: string, settings: CellSettings): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? settings.yes : settings.no;
  if (typeof value === 'number') return NAMING.test(column) ? String(value) : grouped(value);
  if (typeof value === 'string') return readableText(value, settings);
  const lines = cellLines(value, column, settings);
  return lines.length === 0 ? '-' : lines.join(Array.isArray(value) ? '; ' : ', ');
}

/** A value as lines of a record; something with several parts has one per line. */
export function cellLines(value: unknown, column: string, settings: CellSettings): string[] {
  if (Array.isArray(value)) {
    const cells = value.map((item) => readableCell(item, column, settings));
    return value.some((item) => typeof item === 'object') ? cells : [cells.join(', ')];
  }
  if (typeof value !== 'object' || value === null) return [readableCell(value, column, settings)];
  return Object.entries(value).map(
    ([name, inner]) => `${safeLine(settings.nameOf(name))}: ${readableCell(inner, name, settings)}`,
  );
}

/** `12,345` */
function grouped(value: number): string {
  const [whole = '', ...fraction] = String(value).split('.');
  return [whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ','), ...fraction].join('.');
}

function readableText(text: string, { now, language }: CellSettings): string {
  if (now !== null && TIME.test(text)) return relativeTime(Date.parse(text), now, language);
  return safeLine(text).replace(TIME, '$1 $2');
}
