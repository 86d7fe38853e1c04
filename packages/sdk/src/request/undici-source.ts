import type { Dispatcher } from 'undici';
import type { ConnectionOptions } from './connection-options.ts';
import type { FetchSource } from './ofetch-transport.ts';
import { SentHeaders, undiciFetch } from './undici-fetch.ts';
import { DEFAULT_WAITS } from './wait-slots.ts';

/**
 * undici's fetch with an agent of the same copy: an agent of another copy throws
 * `invalid onRequestStart method` on Node 22 and 24.
 */
export async function undiciSource(options: ConnectionOptions): Promise<FetchSource> {
  const module = await import('undici');
  // Bundlers provide only the default export of a CommonJS module; the types describe the rest.
  const undici = { ...module, ...module.default };
  const requests = chooseDispatcher(undici, options, options.connections ?? 128);
  const waits = chooseDispatcher(undici, options, options.waits ?? DEFAULT_WAITS);
  // Open for hours and counted by no one: among the waits, each would take a connection for good.
  const streams = chooseDispatcher(undici, options, null);
  const fetch: unknown = undiciFetch(undici.request);
  const Headers: unknown = SentHeaders;
  return {
    // ofetch is typed for the whole standard, and uses only what these have.
    fetch: fetch as typeof globalThis.fetch,
    Headers: Headers as typeof globalThis.Headers,
    // A request that the service holds open would block others from its connection.
    dispatcherFor: (headers) => {
      if (headers.get('accept') === 'text/event-stream') return streams;
      return headers.get('prefer')?.startsWith('wait=') ? waits : requests;
    },
    close: async () => {
      await Promise.all([requests.close(), waits.close(), streams.close()]);
    },
  };
}

function chooseDispatcher(
  { Agent, EnvHttpProxyAgent, ProxyAgent }: typeof import('undici'),
  options: ConnectionOptions,
  connections: number | null,
): Dispatcher {
  const tls = options.ca === undefined ? {} : { ca: [options.ca].flat() };
  const common = {
    connections,
    // The SDK's three clocks decide; undici's own would abort long polls and slow downloads.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { ...tls, timeout: options.connectTimeoutMs ?? 10_000 },
  };
  if (options.proxy) return new ProxyAgent({ ...common, uri: options.proxy, requestTls: tls });
  if (options.proxy === undefined && proxyInEnvironment()) {
    return new EnvHttpProxyAgent({ ...common, requestTls: tls });
  }
  return new Agent(common);
}

function proxyInEnvironment(): boolean {
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some(
    (name) => process.env[name],
  );
}
