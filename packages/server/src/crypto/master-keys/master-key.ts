import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$|^[A-Za-z0-9_-]{43}=?$/;

/** A master key, split by HKDF into the keys for its purposes. The secret itself is not kept. */
export interface MasterKey {
  /** 32 hex characters that identify the key without revealing it; also its check value. */
  readonly id: string;
  readonly wrappingKey: KeyObject;
  readonly urlSigningKey: KeyObject;
}

export type MasterKeys = readonly [current: MasterKey, ...previous: MasterKey[]];

export interface MasterKeySource {
  /** The current key first, then those that still open what they wrapped. */
  keys(): MasterKeys;
  /** Reads the source again; other processes may have rotated. */
  reload(): Promise<void>;
}

/** A master key that is missing, unreadable or not the one that sealed this database. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/**
 * Reads one or more master keys, separated by commas or white space: 32 bytes each, as hex or
 * base64. The first is the current one; the others are left from rotations.
 *
 * @throws MasterKeyError, which never quotes the text
 */
export function parseMasterKeys(text: string): MasterKeys {
  const [current, ...previous] = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => deriveMasterKey(decodeKey(part)));
  if (!current) throw new MasterKeyError('the master key is empty');
  return [current, ...previous];
}

/** @throws MasterKeyError when no key has the id that the database stores */
export function assertMasterKey(keys: MasterKeys, storedId: string): void {
  if (keys.some(({ id }) => id === storedId)) return;
  throw new MasterKeyError(
    'this master key does not match the database; use the key that the database was created with',
  );
}

export function deriveMasterKey(secret: Uint8Array): MasterKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `changgu master key: ${purpose}`, bytes));
  return {
    id: derive('id', KEY_BYTES / 2).toString('hex'),
    wrappingKey: createSecretKey(derive('wrapping', KEY_BYTES)),
    urlSigningKey: createSecretKey(derive('url signing', KEY_BYTES)),
  };
}

/** A new master key as text, in base64. */
export function generateMasterKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

function decodeKey(text: string): Uint8Array {
  if (HEX.test(text)) return Buffer.from(text, 'hex');
  if (BASE64.test(text)) return Buffer.from(text, 'base64');
  throw new MasterKeyError(
    'a master key must be 32 bytes, written as 64 hex or 44 base64 characters',
  );
}

/** What short-lived proofs of this service are made with: the current one, then those before. */
export function serverSecretsOf(
  source: Pick<MasterKeySource, 'keys'>,
): readonly [KeyObject, ...KeyObject[]] {
  const [current, ...previous] = source.keys();
  return [current.urlSigningKey, ...previous.map(({ urlSigningKey }) => urlSigningKey)];
}
