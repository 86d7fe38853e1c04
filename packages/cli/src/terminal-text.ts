import { stripVTControlCharacters } from 'node:util';

/**
 * One line that is safe to show: a server's text must not move the cursor, set colors or change the reading order. JSON,
 * which has to stay the same data, has its controls escaped instead.
 */
export function safeLine(text: string): string {
  // \p{Cc} is C0, DEL and C1 (some terminals obey U+009B as ESC [), and what turns the direction of writing around.
  // Made here, because the class of characters is expensive to make and JSON needs none.
  const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
  return stripVTControlCharacters(text).replaceAll(controls, (control) =>
    control === '\n' || control === '\t' || control === '\r' ? ' ' : '',
  );
}
