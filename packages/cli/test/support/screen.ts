/** What a terminal shows after these bytes: enough of one for lines, colors, and a cursor that goes up, down and left. */
export function screenOf(bytes: string): readonly string[] {
  const lines: string[] = [''];
  let row = 0;
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is told what to do by them.
  for (const [token, count, command] of bytes.matchAll(/\u001b\[([?\d;]*)([a-zA-Z])|[\s\S]/gu)) {
    if (token === '\n') {
      row += 1;
      column = 0;
      lines[row] ??= '';
    } else if (token === '\r') {
      column = 0;
    } else if (command === 'B') {
      row += Number(count);
      lines[row] ??= '';
    } else if (command === 'D') {
      column = Math.max(0, column - Number(count));
    } else if (command === 'A') {
      row = Math.max(0, row - Number(count));
    } else if (command === 'J') {
      lines.splice(row + 1);
      lines[row] = lines[row]?.slice(0, column) ?? '';
    } else if (command === 'K') {
      lines[row] = '';
    } else if (command === undefined) {
      const line = (lines[row] ?? '').padEnd(column);
      lines[row] = line.slice(0, column) + token + line.slice(column + token.length);
      column += token.length;
    }
  }
  return lines.map((line) => line.trimEnd());
}
