import truncatedWidth from 'fast-string-truncated-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** The terminal columns of a text: two for a Hangul syllable. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

/** The text in at most that many columns, with `…` if it was truncated. */
export function fit(text: string, columns: number): string {
  const { ellipsed, truncated, index } = truncatedWidth(text, { limit: columns, ellipsis: '…' });
  return truncated ? `${text.slice(0, index)}${ellipsed ? '…' : ''}` : text;
}

/** The text in lines of at most that many columns; a word that is longer stays whole, for it is copied. */
export function wrap(text: string, columns: number): readonly string[] {
  return widthOf(text) <= columns ? [text] : wrapAnsi(text, columns, { hard: false }).split('\n');
}

/** Columns of the longest word. */
export function longestWord(text: string): number {
  return Math.max(0, ...text.split(' ').map(widthOf));
}

export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}
