import type { FetchSource } from './ofetch-transport.ts';

/** The runtime's fetch, or the caller's; looked up at each call, so that a patched global is seen. */
export async function globalFetchSource(fetch?: typeof globalThis.fetch): Promise<FetchSource> {
  return {
    fetch: fetch ?? ((...args) => globalThis.fetch(...args)),
    Headers: globalThis.Headers,
  };
}
