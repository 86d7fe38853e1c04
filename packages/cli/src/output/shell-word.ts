/** Quoted if a shell would interpret it. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_=.,:@/+-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
