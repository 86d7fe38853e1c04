/** The package's dependencies on Node, Bun and Deno. Bundlers for pages and workers use `web.ts` instead. */
import type { ConnectionOptions } from '../request/connection-options.ts';
import { globalFetchTransport } from '../request/fetch-transport.ts';
import type { Transport } from '../request/http.ts';
import { ofetchTransport } from '../request/ofetch-transport.ts';
import { undiciSource } from '../request/undici-source.ts';
import { isNode } from '../runtime.ts';

export { saveFile } from '../artifacts/save-file.ts';

/** Node uses undici's pool. Bun and Deno have a faster fetch of their own, and a worker may pretend to be Node. */
export function platformTransport(connection: ConnectionOptions): Transport {
  return isNode() ? ofetchTransport(() => undiciSource(connection)) : globalFetchTransport();
}
