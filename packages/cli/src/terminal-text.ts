import { stripVTControlCharacters } from 'node:util';

/** One line that is safe to show: a server's text must not move the cursor, set colors or change the reading order. */
export function safeLine(text: string): string {
  // \p{Cc} is C0, DEL and C1 (some terminals obey U+009B as ESC [), and what turns the direction of writing around.
  // Made here, because the class of characters is expensive to make and JSON needs none.
  const controls = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
  return stripVTControlCharacters(text).replaceAll(controls, (control) =>
    control === '\n' || control === '\t' || control === '\r' ? ' ' : '',
  );
}

/** The same for JSON: JSON escapes C0 itself; DEL, C1 and the direction marks are escaped, so that no value changes. */
export function safeJson(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
