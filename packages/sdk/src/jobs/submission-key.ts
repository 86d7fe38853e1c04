import { ConfigurationError } from '../errors/transport-errors.ts';

/** An action id begins with its provider. */
export function providerOf(action: string): string {
  const [provider, ...rest] = String(action).split('.');
  if (provider && rest.length > 0) return provider;
  throw new ConfigurationError('action must be a full id, e.g. bank_b.accounts.list.');
}

/**
 * The caller's key, or a new one.
 * @throws ConfigurationError for a key that the service would refuse
 */
export function keyOf(given: string | undefined): string {
  const key = given ?? crypto.randomUUID();
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(key)) {
    throw new ConfigurationError('idempotencyKey must be 1 to 128 ASCII characters.');
  }
  return key;
}
