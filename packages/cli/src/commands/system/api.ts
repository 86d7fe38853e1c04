import {
  type HttpResponse,
  InvalidResponseError,
  type WireAnswer,
  type WireRequest,
} from '@changgu/sdk';
import type { Cli, WritingCli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { writes } from '../../command.ts';
import { eachOnce, parsePair } from '../../input/pair.ts';
import { paramValue } from '../../input/param-value.ts';
import { InputReader } from '../../input/read-input.ts';
import { safeLine } from '../../terminal-text.ts';

export interface ApiOptions {
  /** JSON, `@file` or `@-`. */
  readonly data?: string | undefined;
  /** `key=text` */
  readonly rawField?: readonly string[] | undefined;
  /** `key=value`, parsed as JSON if possible. */
  readonly field?: readonly string[] | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly as?: 'client' | 'console' | undefined;
  readonly include?: true | undefined;
  readonly paginate?: true | undefined;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Any request, with the profile's credentials. Fields become the query of a GET and the body of other methods. */
export const api = writes<[first: string, second: string | undefined, options: ApiOptions]>(
  'document',
  async (cli, first, second, options) => {
    const request = await readRequest(cli, first, second, options);
    const client = await cli.client('any');
    const read = (page: WireRequest): Promise<WireAnswer> => {
      const send = async () => client.request(page, cli.call);
      return options.include ? withHead(cli, send) : send();
    };
    const pages = options.paginate ? await readPages(request, read) : [(await read(request)).body];
    await cli.output.document(pages.length === 1 ? pages[0] : joined(pages));
    return undefined;
  },
);

/** A list that does not end is an error, as in the SDK. */
const MAX_EMPTY_PAGES = 100;

async function readPages(
  request: WireRequest,
  read: (page: WireRequest) => Promise<WireAnswer>,
): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  const seen = new Set<unknown>();
  let empty = 0;
  for (let query = request.query; ; ) {
    const { status, body } = await read({ ...request, query });
    pages.push(body);
    const { items, next_cursor: cursor } = Object(body);
    if (cursor === null || cursor === undefined) return pages;
    empty = Object(items).length > 0 ? 0 : empty + 1;
    if (seen.has(cursor) || empty === MAX_EMPTY_PAGES) {
      const what = `it repeats its next_cursor, or ${MAX_EMPTY_PAGES} pages in a row are empty`;
      throw new InvalidResponseError(status, what);
    }
    seen.add(cursor);
    query = { ...request.query, cursor };
  }
}

/** Writes the answer's status and headers before its body, also for an error. */
async function withHead(cli: WritingCli, send: () => Promise<WireAnswer>): Promise<WireAnswer> {
  let last: HttpResponse | null = null;
  cli.onAnswer = (answer) => {
    last = answer;
  };
  try {
    return await send();
  } finally {
    if (last !== null) await cli.output.text(headOf(last));
  }
}

function headOf({ status, headers }: HttpResponse): string {
  const named = [...(headers.entries?.() ?? [])];
  const lines = named.map(([name, value]) => safeLine(`${name}: ${value}`));
  return `${[`HTTP ${status}`, ...lines.toSorted()].join('\n')}\n\n`;
}

/** All pages of a list as one list. */
function joined(pages: readonly unknown[]): unknown {
  const items = pages.flatMap((page): unknown[] => Object(page).items ?? []);
  return { ...Object(pages[0]), items, next_cursor: null };
}

async function readRequest(
  cli: Cli,
  first: string,
  second: string | undefined,
  options: ApiOptions,
): Promise<WireRequest> {
  const { input } = cli.texts;
  const [given, path] = second === undefined ? ['GET', first] : [first, second];
  const method = METHODS.find((known) => known === given.toUpperCase());
  if (!method) throw usageError(input.notOneOf('method', METHODS.join(', ')));
  if (!path.startsWith('/')) throw usageError(input.apiPath(path), `/${path}`);
  // Everything after the first is the query, in which there may be others.
  const [pathname = '', ...search] = path.split('?');
  const fields = readFields(cli, options);
  const isRead = method === 'GET';
  if (options.paginate && !isRead) throw usageError(input.getOnly('--paginate'));
  if (isRead) refuseIgnored(cli, options);
  return {
    method,
    path: pathname,
    as: options.as,
    query: queryOf([...new URLSearchParams(search.join('?')), ...(isRead ? fields : [])]),
    body: isRead ? undefined : await readBody(cli, options.data, fields),
    idempotencyKey: options.idempotencyKey,
  };
}

/** Who gives these expects a change, and would take the list that a GET prints for its answer. */
function refuseIgnored({ texts }: Cli, { data, idempotencyKey }: ApiOptions): void {
  if (data !== undefined) throw usageError(texts.input.notForGet('--data'));
  if (idempotencyKey !== undefined) throw usageError(texts.input.notForGet('--idempotency-key'));
}

type Field = readonly [name: string, value: unknown];

function readFields({ texts }: Cli, { rawField = [], field = [] }: ApiOptions): readonly Field[] {
  const typed = field.map((text) => {
    const [name, value] = parsePair(text, texts);
    return [name, paramValue(value, undefined)] as const;
  });
  return [...rawField.map((text) => parsePair(text, texts)), ...typed];
}

async function readBody(
  { io, texts }: Cli,
  data: string | undefined,
  fields: readonly Field[],
): Promise<unknown> {
  const reader = new InputReader(io, texts);
  const names = fields.map(([name]) => name);
  eachOnce(names, texts);
  const given = Object.fromEntries(fields);
  if (data === undefined) return fields.length > 0 ? given : undefined;
  return fields.length > 0
    ? { ...(await reader.jsonObject(data, '--data')), ...given }
    : reader.json(data, '--data');
}

/** A name may come more than once, in the path and in fields. */
function queryOf(given: readonly Field[]): Record<string, unknown[]> {
  const named = Map.groupBy(given, ([name]) => name);
  const lists = [...named].map(([name, fields]) => {
    return [name, fields.flatMap(([, value]) => value ?? [])] as const;
  });
  return Object.fromEntries(lists);
}
