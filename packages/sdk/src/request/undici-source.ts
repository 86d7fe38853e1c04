import type { Dispatcher } from 'undici';
import type { ConnectionOptions } from './connection-options.ts';
import type { FetchSource } from './ofetch-transport.ts';

/**
 * undici's fetch with an agent of the same copy: an agent of another copy throws
 * `invalid onRequestStart method` on Node 22 and 24.
 */
export async function undiciSource(options: ConnectionOptions): Promise<FetchSource> {
  const module = await import('undici');
  // Of a CommonJS module, bundlers give the default export only; the types say the rest.
  const undici = { ...module, ...module.default };
  const dispatcher = chooseDispatcher(undici, options);
  // Node's types describe the copy of undici inside Node; at run time the two have one interface.
  const { fetch, Headers }: Record<'fetch' | 'Headers', unknown> = undici;
  return {
    fetch: fetch as typeof globalThis.fetch,
    Headers: Headers as typeof globalThis.Headers,
    options: { dispatcher },
    close: () => dispatcher.close(),
  };
}

function chooseDispatcher(
  { Agent, EnvHttpProxyAgent, ProxyAgent }: typeof import('undici'),
  options: ConnectionOptions,
): Dispatcher {
  const tls = options.ca === undefined ? {} : { ca: [options.ca].flat() };
  const common = {
    connections: options.connections ?? 128,
    // The SDK's three clocks decide; undici's own would cut long polls and slow downloads short.
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
