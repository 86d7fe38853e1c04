/** The package's dependencies on Node, Bun and Deno. Bundlers for pages and workers use `web.ts` instead. */
import type { Encryptor } from '../encryption/encryptor.ts';
import { nodeCrypto, nodeEncryptor } from '../encryption/node-encryptor.ts';
import { webEncryptor } from '../encryption/web-encryptor.ts';
import type { ConnectionOptions } from '../request/connection-options.ts';
import { globalFetchTransport } from '../request/fetch-transport.ts';
import type { Transport } from '../request/http.ts';
import { ofetchTransport } from '../request/ofetch-transport.ts';
import { undiciSource } from '../request/undici-source.ts';
import { isNode } from '../runtime.ts';

export { saveFile } from '../artifacts/save-file.ts';

/** node:crypto with one parsed key is the faster of the two. */
export function platformEncryptor(): Encryptor {
  const node = nodeCrypto();
  return node ? nodeEncryptor(node) : webEncryptor();
}

/** Node uses undici's pool. Bun and Deno have a faster fetch of their own, and a worker may pretend to be Node. */
export function platformTransport(connection: ConnectionOptions): Transport {
  return isNode() ? ofetchTransport(() => undiciSource(connection)) : globalFetchTransport();
}
