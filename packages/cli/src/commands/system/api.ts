import type { WireRequest } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { parsePair } from '../../input/pair.ts';
import { paramValue } from '../../input/param-value.ts';
import { InputReader } from '../../input/read-input.ts';

export interface ApiOptions {
  /** JSON, `@file` or `@-`. */
  readonly data?: string | undefined;
  /** `key=text` */
  readonly rawField?: readonly string[] | undefined;
  /** `key=value`, JSON where it is JSON. */
  readonly field?: readonly string[] | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly as?: 'client' | 'console' | undefined;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Any request, with the credentials of the profile. Fields are the query of a GET and the body of all else. */
export async function api(
  cli: Cli,
  given: string,
  path: string,
  options: ApiOptions,
): Promise<undefined> {
  const method = METHODS.find((known) => known === given.toUpperCase());
  if (!method) throw usageError(cli.texts.input.notOneOf('method', METHODS.join(', ')));
  if (!path.startsWith('/')) throw usageError(cli.texts.input.apiPath(path), `/${path}`);
  const [pathname = '', search] = path.split('?', 2);
  const fields = readFields(cli, options);
  const isRead = method === 'GET';
  const request: WireRequest = {
    method,
    path: pathname,
    as: options.as,
    query: { ...queryOf(search), ...(isRead ? fields : {}) },
    body: isRead ? undefined : await readBody(cli, options.data, fields),
    idempotencyKey: options.idempotencyKey,
  };
  if (cli.globals.dryRun) {
    await cli.output.document(request);
    return;
  }
  const client = await cli.client('any');
  const { body } = await client.request(request, cli.call);
  await cli.output.document(body);
}

function readFields(
  { texts }: Cli,
  { rawField = [], field = [] }: ApiOptions,
): Record<string, unknown> {
  const raw = rawField.map((text) => parsePair(text, texts));
  const typed = field.map((text) => {
    const [name, value] = parsePair(text, texts);
    return [name, paramValue(value, undefined)] as const;
  });
  return Object.fromEntries([...raw, ...typed]);
}

async function readBody(
  cli: Cli,
  data: string | undefined,
  fields: Record<string, unknown>,
): Promise<unknown> {
  const reader = new InputReader(cli.io, cli.texts);
  const given = Object.keys(fields).length > 0;
  if (data === undefined) return given ? fields : undefined;
  return given
    ? { ...(await reader.jsonObject(data, '--data')), ...fields }
    : reader.json(data, '--data');
}

function queryOf(search: string | undefined): Record<string, string[]> {
  const given = new URLSearchParams(search);
  return Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name)]));
}
