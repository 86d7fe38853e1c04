import truncatedWidth from 'fast-string-truncated-width';

/** The terminal columns of a text: two for a Hangul syllable. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

/** The text in at most that many columns, with `…` if it was truncated. */
export function fit(text: string, columns: number): string {
  const { ellipsed, truncated, index } = truncatedWidth(text, { limit: columns, ellipsis: '…' });
  return truncated ? `${text.slice(0, index)}${ellipsed ? '…' : ''}` : text;
}

export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}
