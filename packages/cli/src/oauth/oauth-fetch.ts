import { ConnectionError, type Fetch } from '@changgu/sdk';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { proxyVariable } from '../config/proxy-variable.ts';
import { httpFetch } from '../http-fetch.ts';
import type { Io } from '../io.ts';

/** The requests of an OAuth client, over the same transport as all other requests of this program. */
export function oauthFetch(io: Pick<Io, 'fetch' | 'env'>): CustomFetch {
  const isProxied = io.fetch === undefined && proxyVariable(io.env) !== null;
  const send = isProxied ? throughProxy : directly(io.fetch ?? httpFetch);
  return async (url, options) => {
    try {
      return await send(url, options);
    } catch (cause) {
      throw options.signal?.aborted ? cause : connectionError(cause);
    }
  };
}

/** As the SDK reports it. */
function connectionError(cause: unknown): ConnectionError {
  const systemCode = codeOf(cause);
  const message = `The connection failed: ${systemCode ?? 'unknown'}.`;
  return new ConnectionError(message, { systemCode, neverSent: false, retryable: true, cause });
}

/** undici puts the reason into the cause. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const own = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return codeOf(error.cause) ?? own;
}

function directly(fetch: Fetch): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await fetch(url, {
      method,
      headers,
      body: formOf(body),
      redirect: 'manual',
      signal: signal ?? new AbortController().signal,
    });
    const names = ['content-type', 'date', 'www-authenticate', 'retry-after'];
    const kept = names.flatMap((name): [string, string][] => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return new Response(await textOf(answer.body), { status: answer.status, headers: kept });
  };
}

/** The library sends only forms. */
function formOf(body: CustomFetchOptions['body']): string | null {
  return body instanceof URLSearchParams ? body.toString() : null;
}

type Body = Awaited<ReturnType<typeof httpFetch>>['body'];

async function textOf(body: Body): Promise<string | null> {
  if (!body) return null;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
  }
  const bytes = Buffer.concat(chunks);
  return bytes.length === 0 ? null : bytes.toString('utf8');
}

/** undici's own agent needs undici's own fetch. */
async function throughProxy(
  url: string,
  { method, headers, body, signal }: CustomFetchOptions,
): Promise<Response> {
  const module = await import('undici');
  // Of a CommonJS module, bundlers give the default export only; the types say the rest.
  const { EnvHttpProxyAgent, fetch } = { ...module, ...module.default };
  const answer = await fetch(url, {
    method,
    headers,
    body: formOf(body),
    redirect: 'manual',
    signal: signal ?? null,
    dispatcher: new EnvHttpProxyAgent(),
  });
  return new Response(await answer.text(), { status: answer.status, headers: [...answer.headers] });
}
