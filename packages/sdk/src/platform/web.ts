/** The package's dependencies on pages, workers and edge runtimes: nothing of Node. */
import { ConfigurationError } from '../errors/transport-errors.ts';

export { webEncryptor as platformEncryptor } from '../encryption/web-encryptor.ts';
export { globalFetchTransport as platformTransport } from '../request/fetch-transport.ts';

export async function saveFile(): Promise<never> {
  throw new ConfigurationError('Saving a file needs Node, Bun or Deno. Use stream or bytes here.');
}
