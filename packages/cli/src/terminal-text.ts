import { stripVTControlCharacters } from 'node:util';
import { DIRECTION_MARKS } from '@changgu/contract/harmless-text';

/**
 * One line that is safe to show: a server's text must not move the cursor, set colors or change the reading order. JSON,
 * which has to stay the same data, has its controls escaped instead.
 */
export function safeLine(text: string): string {
  // \p{Cc} is C0, DEL and C1 (some terminals obey U+009B as ESC [).
  // Made here, because the class of characters is expensive to make and JSON needs none.
  const controls = new RegExp(`[\\p{Cc}${DIRECTION_MARKS}]`, 'gu');
  return stripVTControlCharacters(text).replaceAll(controls, (control) =>
    control === '\n' || control === '\t' || control === '\r' ? ' ' : '',
  );
}
