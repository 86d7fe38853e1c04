import { createDataKeys, type OrganizationKeyStore } from './data-keys.ts';
import type { MasterKeySource } from './master-keys/master-key.ts';
import { SYSTEM_SCOPE } from './organization-key.ts';
import { NO_SECRETS, type OrganizationSecrets } from './organization-secrets.ts';
import { generationOf, openBox, sealBox } from './sealed-box.ts';
import {
  type ByteRange,
  chunkContext,
  openRange,
  type SealedFile,
  sealChunks,
} from './sealed-chunks.ts';

export type { OrganizationKeyStore } from './data-keys.ts';
export { SYSTEM_SCOPE };

/** Where a sealed value is stored. It opens nowhere else. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** The index of a file's chunk. */
export interface ChunkOfFile {
  readonly index: number;
  /** Size of the whole file in bytes, unsealed. */
  readonly size: number;
}

/** Envelope encryption at rest. Values that do not open throw SealError. */
export interface Vault {
  /** Seals bytes for one place; creates the organization's key if necessary. */
  seal(organizationId: string, place: SealedPlace, plaintext: Uint8Array): Promise<Uint8Array>;
  open(organizationId: string, place: SealedPlace, sealed: Uint8Array): Promise<Uint8Array>;
  /** Seals a file as chunks of 256 KiB, in order; at least one. */
  sealFile(organizationId: string, place: SealedPlace, file: Uint8Array): Promise<Uint8Array[]>;
  /** Yields a range of a file, or all of it, loading only the chunks that it touches. */
  openFile(
    organizationId: string,
    place: SealedPlace,
    file: SealedFile,
    range?: ByteRange,
  ): AsyncGenerator<Uint8Array>;
  /** The same value sealed with the current data key; null when it already is. */
  sealAgain(
    organizationId: string,
    place: SealedPlace,
    sealed: Uint8Array,
    chunk?: ChunkOfFile,
  ): Promise<Uint8Array | null>;
  /** A new data key for the organization, wrapped for storage. */
  newDataKey(organizationId: string): Promise<Uint8Array>;
  /**
   * Erases the secret that wraps the organization's key together with the master key, if there is one:
   * afterwards no backup of the database can be decrypted.
   */
  eraseOrganizationSecret(organizationId: string): Promise<void>;
  /** Drops the key from memory after the store deleted or replaced its row in a transaction of its own. */
  forgetOrganizationKey(organizationId: string): void;
}

export interface VaultOptions {
  readonly masterKeys: MasterKeySource;
  readonly organizationKeys: OrganizationKeyStore;
  readonly secrets?: OrganizationSecrets;
  /** How many unwrapped keys stay in memory. */
  readonly cacheSize?: number;
  /** In milliseconds, from an arbitrary moment. */
  readonly now?: () => number;
}

export function createVault(options: VaultOptions): Vault {
  const { secrets = NO_SECRETS, cacheSize = 1_000, now = () => performance.now() } = options;
  const keys = createDataKeys({ ...options, secrets, cacheSize, now });

  return {
    async seal(organizationId, place, plaintext) {
      const { current, generation } = await keys.forSealing(organizationId);
      return sealBox(current, contextOf(place), plaintext, generation);
    },
    async open(organizationId, place, sealed) {
      return openBox(await keys.forOpening(organizationId, sealed), contextOf(place), sealed);
    },
    async sealFile(organizationId, place, file) {
      const { current, generation } = await keys.forSealing(organizationId);
      return sealChunks(current, contextOf(place), file, generation);
    },
    async *openFile(organizationId, place, file, range) {
      const keyFor = (sealed: Uint8Array) => keys.forOpening(organizationId, sealed);
      yield* openRange(keyFor, contextOf(place), file, range);
    },
    async sealAgain(organizationId, place, sealed, chunk) {
      const opening = await keys.forOpening(organizationId, sealed);
      const { current, generation } = await keys.forSealing(organizationId);
      if (generationOf(sealed) === generation) return null;
      const own = contextOf(place);
      const context = chunk ? chunkContext(own, chunk.index, chunk.size) : own;
      return sealBox(current, context, openBox(opening, context, sealed), generation);
    },
    newDataKey: keys.wrapFresh,
    async eraseOrganizationSecret(organizationId) {
      await secrets.erase(organizationId);
      keys.forget(organizationId);
    },
    forgetOrganizationKey: keys.forget,
  };
}

function contextOf({ table, column, row }: SealedPlace): string {
  return JSON.stringify([table, column, row]);
}
