/** What turns the direction of writing or ends a line unseen: part of a class of characters. */
export const DIRECTION_MARKS = String.raw`\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069`;

// C0 but the tab and the end of a line, DEL, C1 (some terminals obey U+009B as ESC [), and the direction marks.
const COMMANDS = new RegExp(String.raw`[\0-\x08\v-\x1f\x7f-\x9f${DIRECTION_MARKS}]`, 'g');

/**
 * A text as a terminal may show it: what would move its cursor, set its colors or turn the direction of writing is
 * escaped. JSON has these in strings only, where the escape is the same character: no value changes.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    COMMANDS,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Whether a spreadsheet may run the text of a cell as a formula. Some pass over what is blank or not printed before it,
 * and take the full-width signs of a Korean keyboard for the others.
 * @param text as it will be written
 */
export function isFormula(text: string): boolean {
  const [sign = '', rest = ''] = /^[\s\p{C}]*([=+\-@＝＋－＠])(.*)$/su.exec(text)?.slice(1) ?? [];
  return sign !== '' && !(/[=+-]/.test(sign) && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(rest));
}
