/** How data is written to stdout. */
export const FORMATS = ['table', 'tsv', 'json', 'ndjson', 'id'] as const;
export type Format = (typeof FORMATS)[number];

/** For people a table; for a pipe tab-separated values, unless a format is asked for. */
export function defaultFormat(isTTY: boolean): Format {
  return isTTY ? 'table' : 'tsv';
}

/** In these, nothing but data and a JSON error is written, to whichever stream. */
export function isJson(format: Format): boolean {
  return format === 'json' || format === 'ndjson';
}

/** What argv asks for, before it is parsed: an error of the parser is written in it, too. */
export function asksForJson(argv: readonly string[]): boolean {
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  return words.some(
    (word, index) =>
      /^--json(=|$)/.test(word) ||
      /^(-o|--output=)(nd)?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && /^(nd)?json$/.test(words[index + 1] ?? '')),
  );
}
