/** Marks that turn the direction of what follows: with them `exe.xlsx` is the end of a name of another kind. */
export const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of others, in which nothing stands in another order than it is. */
export function visibleText(text: string): string {
  return text.replaceAll(TURNS, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}
