import type { KeyObject } from 'node:crypto';
import type { MasterKeySource } from './master-key.ts';
import {
  generateOrganizationKey,
  unwrapOrganizationKey,
  wrapOrganizationKey,
  wrappingMasterId,
} from './organization-key.ts';
import { openBox, SealError, sealBox } from './sealed-box.ts';
import { type ByteRange, openRange, type SealedFile, sealChunks } from './sealed-chunks.ts';

/** Owner of what belongs to no organization: the RSA and signing private keys. */
export const SYSTEM_SCOPE = 'system';

/** Where a sealed value stands. It opens nowhere else. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** The wrapped data keys: one row per organization, and one for `SYSTEM_SCOPE`. */
export interface OrganizationKeyStore {
  load(organizationId: string): Promise<Uint8Array | null>;
  /** Inserts unless there is one already, and answers the one that now stands. */
  saveIfAbsent(organizationId: string, wrapped: Uint8Array): Promise<Uint8Array>;
  delete(organizationId: string): Promise<void>;
}

/** Envelope encryption at rest. What does not open throws SealError. */
export interface Vault {
  /** Seals bytes for one place; makes the organization's key when it has none yet. */
  seal(organizationId: string, place: SealedPlace, plaintext: Uint8Array): Promise<Uint8Array>;
  open(organizationId: string, place: SealedPlace, sealed: Uint8Array): Promise<Uint8Array>;
  /** Seals a file as chunks of 256 KiB, in order; at least one. */
  sealFile(organizationId: string, place: SealedPlace, file: Uint8Array): Promise<Uint8Array[]>;
  /** Yields a range of a file, or all of it, loading no other chunks than it touches. */
  openFile(
    organizationId: string,
    place: SealedPlace,
    file: SealedFile,
    range?: ByteRange,
  ): AsyncGenerator<Uint8Array>;
  /** Deletes the organization's key: what is sealed under it is lost, backups of rows included. */
  destroyOrganizationKey(organizationId: string): Promise<void>;
  /** Drops the key from memory where the store deleted the row in its own transaction. */
  forgetOrganizationKey(organizationId: string): void;
}

export interface VaultOptions {
  readonly masterKeys: MasterKeySource;
  readonly organizationKeys: OrganizationKeyStore;
  /** How many unwrapped keys stay in memory. */
  readonly cacheSize?: number;
}

export function createVault(options: VaultOptions): Vault {
  const keys = createKeyCache(options);

  return {
    async seal(organizationId, place, plaintext) {
      return sealBox(await keys.forSealing(organizationId), contextOf(place), plaintext);
    },
    async open(organizationId, place, sealed) {
      return openBox(await keys.forOpening(organizationId), contextOf(place), sealed);
    },
    async sealFile(organizationId, place, file) {
      return sealChunks(await keys.forSealing(organizationId), contextOf(place), file);
    },
    async *openFile(organizationId, place, file, range) {
      yield* openRange(await keys.forOpening(organizationId), contextOf(place), file, range);
    },
    async destroyOrganizationKey(organizationId) {
      await options.organizationKeys.delete(organizationId);
      keys.forget(organizationId);
    },
    forgetOrganizationKey: keys.forget,
  };
}

/** The unwrapped keys of the organizations used last. */
function createKeyCache({ masterKeys, organizationKeys, cacheSize = 1_000 }: VaultOptions) {
  const cache = new Map<string, KeyObject>();

  /** A map keeps insertion order: the first key is the one unused for longest. */
  function remember(organizationId: string, key: KeyObject): KeyObject {
    cache.delete(organizationId);
    cache.set(organizationId, key);
    const oldest = cache.keys().next();
    if (cache.size > cacheSize && !oldest.done) cache.delete(oldest.value);
    return key;
  }

  async function unwrap(organizationId: string, wrapped: Uint8Array): Promise<KeyObject> {
    const id = wrappingMasterId(wrapped);
    if (!masterKeys.keys().some((master) => master.id === id)) await masterKeys.reload();
    return unwrapOrganizationKey(masterKeys.keys(), organizationId, wrapped);
  }

  async function create(organizationId: string): Promise<KeyObject> {
    // Read again, so that a rotation of the master key meanwhile is not undone.
    await masterKeys.reload();
    const [current] = masterKeys.keys();
    const fresh = wrapOrganizationKey(current, organizationId, generateOrganizationKey());
    return unwrap(organizationId, await organizationKeys.saveIfAbsent(organizationId, fresh));
  }

  async function existingKey(organizationId: string): Promise<KeyObject | undefined> {
    const cached = cache.get(organizationId);
    if (cached) return remember(organizationId, cached);
    const wrapped = await organizationKeys.load(organizationId);
    return wrapped ? remember(organizationId, await unwrap(organizationId, wrapped)) : undefined;
  }

  async function forSealing(organizationId: string): Promise<KeyObject> {
    const key = await existingKey(organizationId);
    return key ?? remember(organizationId, await create(organizationId));
  }

  async function forOpening(organizationId: string): Promise<KeyObject> {
    const key = await existingKey(organizationId);
    if (!key) throw new SealError('organization has no key');
    return key;
  }

  return {
    forSealing,
    forOpening,
    forget: (organizationId: string): void => {
      cache.delete(organizationId);
    },
  };
}

function contextOf({ table, column, row }: SealedPlace): string {
  return JSON.stringify([table, column, row]);
}
