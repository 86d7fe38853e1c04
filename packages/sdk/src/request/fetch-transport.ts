import type { Fetch, Transport } from './http.ts';

/** The runtime's or the caller's fetch, used as it is: nothing to load or close. */
export function fetchTransport(fetch: Fetch): Transport {
  return {
    ready: async () => {},
    send: (url, { body = null, ...init }) => fetch(url, { ...init, body, redirect: 'manual' }),
    close: async () => {},
  };
}

/** The runtime's own fetch, looked up at each call so that a patched global is seen. */
export function globalFetchTransport(): Transport {
  return fetchTransport((...args) => globalThis.fetch(...args));
}
