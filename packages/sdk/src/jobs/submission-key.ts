import { ConfigurationError } from '../errors/transport-errors.ts';

/** An action id begins with its provider. */
export function providerOf(action: string): string {
  const dot = action.indexOf('.');
  if (dot < 1) throw new ConfigurationError('action must be a full id, e.g. bank_b.accounts.list.');
  return action.slice(0, dot);
}

/** @throws ConfigurationError for a key that the service would refuse */
export function checkKey(key: string): string {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(key)) {
    throw new ConfigurationError('idempotencyKey must be 1 to 128 ASCII characters.');
  }
  return key;
}
