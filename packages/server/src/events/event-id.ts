import { invalidValue } from '../rules/service-error.ts';
import type { EventPosition } from '../store/events/event-scripts.ts';
import { SORTABLE_LENGTH, sortableText, sortedNumber } from './sortable-number.ts';

const PREFIX = 'evt_';

/** An event's id encodes its position: ids of one organization sort like its events. */
export function eventId({ tx, seq }: EventPosition): string {
  return `${PREFIX}${sortableText(tx)}${sortableText(seq)}`;
}

/** @throws ServiceError 400 when it is not an event id */
export function eventPosition(text: string, loc: readonly string[]): EventPosition {
  const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const tx = sortedNumber(digits.slice(0, SORTABLE_LENGTH));
  const seq = sortedNumber(digits.slice(SORTABLE_LENGTH));
  if (tx !== null && seq !== null) return { tx, seq };
  throw invalidValue([
    { loc, msg: 'Input should be a next_cursor or an event_id', type: 'value_error' },
  ]);
}
