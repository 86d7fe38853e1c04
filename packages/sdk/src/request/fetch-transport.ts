import type { Fetch, Transport } from './http.ts';

/** A fetch of the runtime or the caller, called as it is: it needs nothing loaded and nothing closed. */
export function fetchTransport(fetch: Fetch): Transport {
  return {
    ready: async () => {},
    send: (url, { body = null, ...init }) => fetch(url, { ...init, body, redirect: 'manual' }),
    close: async () => {},
  };
}
