/** How data is written to stdout. */
export const FORMATS = ['table', 'tsv', 'csv', 'json', 'ndjson', 'id'] as const;
export type Format = (typeof FORMATS)[number];

export interface FormatOptions {
  readonly output?: Format | undefined;
  readonly json?: true | undefined;
  readonly jq?: string | undefined;
}

/** For people a table; in a pipe tab-separated values, unless a format is requested. */
export function formatOf({ output, json, jq }: FormatOptions, isTTY: boolean): Format {
  if (json) return output === 'ndjson' ? 'ndjson' : 'json';
  return output ?? (jq === undefined ? (isTTY ? 'table' : 'tsv') : 'json');
}

/** In these formats, only data and a JSON error are written, to either stream. */
export function isJson(format: Format): boolean {
  return format === 'json' || format === 'ndjson';
}

/** The format requested in argv, before parsing, because parser errors use it too. */
export function asksForJson(argv: readonly string[]): boolean {
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  return words.some(
    (word, index) =>
      /^--(json|jq)(=|$)/.test(word) ||
      /^(-o|--output=)(nd)?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && /^(nd)?json$/.test(words[index + 1] ?? '')),
  );
}
