import { invalidValue } from '../rules/service-error.ts';
import type { EventPosition } from '../store/events/event-scripts.ts';

const PREFIX = 'evt_';
/** Crockford's base 32, in which greater numbers are greater texts. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 13;

/** An event's id is its place: ids of one organization sort as its events do. */
export function eventId({ tx, seq }: EventPosition): string {
  return `${PREFIX}${encode(tx)}${encode(seq)}`;
}

/** @throws ServiceError 400 when it is not an id of an event */
export function eventPosition(text: string, loc: readonly string[]): EventPosition {
  const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const [tx, seq] = [decode(digits.slice(0, LENGTH)), decode(digits.slice(LENGTH))];
  if (digits.length === 2 * LENGTH && tx !== null && seq !== null) return { tx, seq };
  throw invalidValue([
    { loc, msg: 'Input should be a next_cursor or an event_id', type: 'value_error' },
  ]);
}

function encode(value: number): string {
  let text = '';
  for (let rest = value; text.length < LENGTH; rest = Math.floor(rest / DIGITS.length)) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
  }
  return text;
}

function decode(text: string): number | null {
  let value = 0;
  for (const digit of text) {
    const number = DIGITS.indexOf(digit);
    if (number === -1) return null;
    value = value * DIGITS.length + number;
  }
  return Number.isSafeInteger(value) ? value : null;
}
