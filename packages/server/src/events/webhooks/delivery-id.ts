import { SORTABLE_LENGTH, sortableText, sortedNumber } from '../sortable-number.ts';

const PREFIX = `whd_${'0'.repeat(SORTABLE_LENGTH)}`;

/** A delivery's number in its public form. */
export function deliveryId(seq: number): string {
  return `${PREFIX}${sortableText(seq)}`;
}

/** Null for text that is not a delivery id. */
export function deliverySeq(text: string): number | null {
  return text.startsWith(PREFIX) ? sortedNumber(text.slice(PREFIX.length)) : null;
}
