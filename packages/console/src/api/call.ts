import type { ErrorEnvelope, OperationMap } from '@changgu/contract';
import { environment, language } from '../app/preferences.ts';
import { serviceUrl } from '../app/router.ts';
import { OPERATION_TABLE } from '../generated/operation-table.ts';
import { ApiError, OfflineError } from './api-error.ts';
import { authorization, interruptSession, session } from './session.ts';

export type OperationName = keyof typeof OPERATION_TABLE;
type Part<
  Name extends OperationName,
  P extends 'params' | 'query' | 'body',
> = OperationMap[Name][P];
export type AnswerOf<Name extends OperationName> =
  OperationMap[Name]['responses'][keyof OperationMap[Name]['responses']];

export interface CallInput<Name extends OperationName> {
  readonly params?: Part<Name, 'params'>;
  readonly query?: Part<Name, 'query'>;
  readonly body?: Part<Name, 'body'>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Calls a public operation with the page's session.
 * @throws ApiError when the service refuses, OfflineError when there is no answer
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: CallInput<Name> = {},
): Promise<AnswerOf<Name>> {
  const answer = await ask(name, input);
  return (await jsonOf(answer)) as AnswerOf<Name>;
}

/**
 * The same for an operation that returns lines of JSON.
 * @throws ApiError when the service refuses, OfflineError when there is no answer
 */
export async function callForText<Name extends OperationName>(
  name: Name,
  input: CallInput<Name> = {},
): Promise<string> {
  const answer = await ask(name, input);
  return answer.text();
}

async function ask<Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
): Promise<Response> {
  const [method, path] = OPERATION_TABLE[name];
  const url = serviceUrl(filled(path, input.params ?? {}));
  for (const [key, value] of Object.entries(input.query ?? {})) {
    for (const each of [value].flat()) url.searchParams.append(key, String(each));
  }
  const answer = await send(url, {
    method,
    headers: {
      'accept-language': language.value,
      'x-env-scope': environment.value,
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...authorization(method),
      ...input.headers,
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  if (answer.ok) return answer;
  const body = await jsonOf(answer);
  const { error } = (body ?? {}) as Partial<ErrorEnvelope>;
  // Of other credentials it says nothing about the session.
  const isOfSession = input.headers?.authorization === undefined;
  if (answer.status === 401 && isOfSession && session.value) interruptSession();
  throw new ApiError(answer.status, error ?? null);
}

/** @throws OfflineError when there is no answer */
export async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin', redirect: 'error' });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    throw new OfflineError();
  }
}

async function jsonOf(answer: Response): Promise<unknown> {
  if (answer.status === 204) return null;
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return isJson ? answer.json() : null;
}

function filled(path: string, params: object): string {
  const values = new Map(Object.entries(params));
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
}
