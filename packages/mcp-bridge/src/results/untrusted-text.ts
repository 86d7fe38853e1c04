import { maskNumbers, type UntrustedText } from '@changgu/sdk/catalogue';

/** Maximum length of an institution's text in a result, in characters. */
const MAX_TEXT = 4_000;

export interface UntrustedOptions {
  /** Leaves numbers unchanged. */
  readonly reveal: boolean;
}

/** Marks one text. */
export function untrusted(text: string, options: UntrustedOptions): UntrustedText {
  return { untrusted_text: shownText(text, options) };
}

/** How a model sees text written by others. */
export function shownText(text: string, { reveal }: UntrustedOptions): string {
  const shown = reveal ? text : maskNumbers(text);
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}
