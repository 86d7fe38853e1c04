import type { $Fetch, FetchOptions } from 'ofetch';
import type { Transport, TransportInit } from './http.ts';

/** A fetch, the Headers class of the same implementation, and what it needs on every request. */
export interface FetchSource {
  readonly fetch: typeof globalThis.fetch;
  readonly Headers: typeof globalThis.Headers;
  /** The connections that a request takes. */
  readonly dispatcherFor?: (
    headers: TransportInit['headers'],
  ) => NonNullable<FetchOptions['dispatcher']>;
  readonly close?: () => Promise<void>;
}

/**
 * The request layer: ofetch's `raw` without its retries and time-outs, which do not compose (retry with
 * timeout makes one request, timeout is ignored beside a signal). Source and ofetch load on first use.
 */
export function ofetchTransport(load: () => Promise<FetchSource>): Transport {
  let loading: Promise<{ client: $Fetch; source: FetchSource }> | null = null;
  const ready = () => {
    loading ??= open(load).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    ready,
    async send(url: string, { method, headers, body, signal }: TransportInit) {
      const { client, source } = await ready();
      try {
        return await client.raw(url, {
          ...dispatcherOf(source, headers),
          method,
          headers: { ...headers },
          ...(body === undefined ? {} : { body }),
          signal,
          // 'error' is refused by some worker runtimes; a redirect that is not followed is judged by its status.
          redirect: 'manual',
          retry: false,
          ignoreResponseError: true,
          responseType: 'stream',
        });
      } catch (error) {
        // ofetch's error contains the request with its headers, so only its cause is passed on.
        throw error instanceof Error && error.cause !== undefined ? error.cause : error;
      }
    },
    async close() {
      const opened = await loading?.catch(() => null);
      loading = null;
      await opened?.source.close?.();
    },
  };
}

function dispatcherOf({ dispatcherFor }: FetchSource, headers: TransportInit['headers']) {
  return dispatcherFor ? { dispatcher: dispatcherFor(headers) } : {};
}

async function open(load: () => Promise<FetchSource>) {
  const [{ createFetch }, source] = await Promise.all([import('ofetch'), load()]);
  return { client: createFetch({ fetch: source.fetch, Headers: source.Headers }), source };
}
