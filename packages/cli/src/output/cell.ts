import { safeLine } from '../terminal-text.ts';

/** A value as one line of text, whole and exact: for tab-separated output. */
export function plainCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return safeLine(value);
  return safeLine(JSON.stringify(value) ?? '');
}

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?\+09:00$/;

/** The same for people: times without what every time of the service has in common. */
export function readableCell(value: unknown): string {
  const text = plainCell(value);
  if (text === '') return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return safeLine(value.join(', '));
  }
  return text.replace(TIME, '$1 $2');
}
