/** What the package takes of Node, Bun and Deno. Bundlers for pages and workers get `web.ts` in its place. */
import type { ConnectionOptions } from '../request/connection-options.ts';
import { globalFetchTransport } from '../request/fetch-transport.ts';
import type { Transport } from '../request/http.ts';
import { ofetchTransport } from '../request/ofetch-transport.ts';
import { undiciSource } from '../request/undici-source.ts';
import { isNode } from '../runtime.ts';

export { saveFile } from '../artifacts/save-file.ts';

/** Node gets undici's pool. Bun and Deno bring a faster fetch, and a worker may claim to be Node. */
export function platformTransport(connection: ConnectionOptions): Transport {
  return isNode() ? ofetchTransport(() => undiciSource(connection)) : globalFetchTransport();
}
