import { maskNumbers, type UntrustedText } from '@changgu/sdk/catalogue';

/** Longest text of an institution in a result, in characters. */
const MAX_TEXT = 4_000;

export interface UntrustedOptions {
  /** Leaves numbers as they are. */
  readonly reveal: boolean;
}

/** Marks one text. */
export function untrusted(text: string, options: UntrustedOptions): UntrustedText {
  return { untrusted_text: shownText(text, options) };
}

/** What a model gets to see of a text of other people. */
export function shownText(text: string, { reveal }: UntrustedOptions): string {
  const shown = reveal ? text : maskNumbers(text);
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}
