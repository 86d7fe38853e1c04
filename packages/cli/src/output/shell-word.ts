/** Quoted where a shell would read more than text in it. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_=.,:@/+-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
