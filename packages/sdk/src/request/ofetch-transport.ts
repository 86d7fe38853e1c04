import type { $Fetch, FetchOptions } from 'ofetch';
import { ConfigurationError } from '../errors/transport-errors.ts';
import type { ResponseHeaders, Transport, TransportInit } from './http.ts';

/** A fetch, the Headers class of the same implementation, and what it needs on every request. */
export interface FetchSource {
  readonly fetch: typeof globalThis.fetch;
  readonly Headers: typeof globalThis.Headers;
  /** The connections that a request takes. */
  readonly dispatcherFor?: (headers: ResponseHeaders) => NonNullable<FetchOptions['dispatcher']>;
  readonly close?: () => Promise<void>;
}

/**
 * The request layer: ofetch's `raw` with two interceptors, and without its retries and time-outs, which do not compose
 * (retry with timeout makes one request, timeout is ignored beside a signal). Source and ofetch load on first use.
 * @see docs/adr/0035-ofetch-sends-the-sdk-decides.md
 */
export function ofetchTransport(load: () => Promise<FetchSource>): Transport {
  let loading: Promise<{ client: $Fetch; source: FetchSource }> | null = null;
  const ready = () => {
    // The reason is not passed on, because it may quote a proxy's address with its password.
    loading ??= open(load).catch(() => {
      loading = null;
      throw new ConfigurationError(
        'The transport could not be made: check `connection`, HTTP_PROXY and HTTPS_PROXY, that undici and ofetch are installed, and that a bundler leaves undici out of ES modules.',
      );
    });
    return loading;
  };
  return {
    ready,
    async send(url: string, { method, headers, body, signal }: TransportInit) {
      const { client } = await ready();
      return client.raw(url, { method, headers, ...(body === undefined ? {} : { body }), signal });
    },
    async close() {
      const opened = await loading?.catch(() => null);
      loading = null;
      await opened?.source.close?.();
    },
  };
}

async function open(load: () => Promise<FetchSource>) {
  const [{ createFetch }, source] = await Promise.all([import('ofetch'), load()]);
  const { fetch, Headers, dispatcherFor } = source;
  const defaults: FetchOptions = {
    // 'error' is refused by some worker runtimes; a redirect that is not followed is judged by its status.
    redirect: 'manual',
    retry: false,
    ignoreResponseError: true,
    responseType: 'stream',
    onRequest({ options }) {
      if (dispatcherFor) options.dispatcher = dispatcherFor(options.headers);
    },
    // ofetch's error would contain the request with its headers.
    onRequestError({ error }) {
      throw error;
    },
  };
  return { client: createFetch({ fetch, Headers, defaults }), source };
}
