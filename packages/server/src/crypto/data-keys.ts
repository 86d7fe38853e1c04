import type { KeyObject } from 'node:crypto';
import type { MasterKeySource } from './master-keys/master-key.ts';
import {
  generateOrganizationKey,
  unwrapOrganizationKey,
  wrapOrganizationKey,
  wrappingMasterId,
} from './organization-key.ts';
import type { OrganizationSecrets } from './organization-secrets.ts';
import { generationOf, SealError } from './sealed-box.ts';

/** An organization's data key as stored, and the previous one while rows are being re-encrypted. */
export interface WrappedDataKey {
  readonly wrapped: Uint8Array;
  /** How often it has been replaced. */
  readonly generation: number;
  readonly previous: Uint8Array | null;
}

/** The wrapped data keys: one row per organization, and one for `SYSTEM_SCOPE`. */
export interface OrganizationKeyStore {
  load(organizationId: string): Promise<WrappedDataKey | null>;
  /** Inserts unless a row exists, and returns the row that is stored then. */
  saveIfAbsent(organizationId: string, wrapped: Uint8Array): Promise<WrappedDataKey>;
}

/** An organization's data key, unwrapped. */
export interface DataKey {
  readonly current: KeyObject;
  readonly generation: number;
  readonly previous: KeyObject | null;
}

export interface DataKeyOptions {
  readonly masterKeys: MasterKeySource;
  readonly organizationKeys: OrganizationKeyStore;
  readonly secrets: OrganizationSecrets;
  readonly cacheSize: number;
  /** In milliseconds, from an arbitrary moment. */
  readonly now: () => number;
}

/** After this time every process uses a key that another one has created. */
export const DATA_KEY_FRESH_MS = 60_000;

/** The unwrapped keys of recently used organizations. */
export function createDataKeys(options: DataKeyOptions) {
  const { organizationKeys, cacheSize, now } = options;
  const cache = new Map<string, { readonly key: DataKey; readonly readAt: number }>();

  /** A map keeps insertion order, so the first key is the least recently used. */
  function remember(organizationId: string, key: DataKey, readAt: number): DataKey {
    cache.delete(organizationId);
    cache.set(organizationId, { key, readAt });
    const oldest = cache.keys().next();
    if (cache.size > cacheSize && !oldest.done) cache.delete(oldest.value);
    return key;
  }

  async function load(organizationId: string): Promise<DataKey | undefined> {
    const readAt = now();
    const stored = await organizationKeys.load(organizationId);
    if (stored !== null)
      return remember(organizationId, await unwrapKey(options, organizationId, stored), readAt);
    cache.delete(organizationId);
    return undefined;
  }

  async function existing(organizationId: string): Promise<DataKey | undefined> {
    const cached = cache.get(organizationId);
    if (cached && now() - cached.readAt < DATA_KEY_FRESH_MS) {
      return remember(organizationId, cached.key, cached.readAt);
    }
    return load(organizationId);
  }

  return {
    wrapFresh: (organizationId: string) => wrapFreshKey(options, organizationId),
    forget: (organizationId: string): void => {
      cache.delete(organizationId);
    },

    async forSealing(organizationId: string): Promise<DataKey> {
      const key = await existing(organizationId);
      if (key) return key;
      const readAt = now();
      const fresh = await wrapFreshKey(options, organizationId);
      const stored = await organizationKeys.saveIfAbsent(organizationId, fresh);
      return remember(organizationId, await unwrapKey(options, organizationId, stored), readAt);
    },

    /** @throws SealError when that key no longer exists */
    async forOpening(organizationId: string, sealed: Uint8Array): Promise<KeyObject> {
      const generation = generationOf(sealed);
      const known = await existing(organizationId);
      if (!known) throw new SealError('organization has no key');
      // Another process may have replaced the key since this one read it.
      const found = keyOf(known, generation) ?? keyOf(await load(organizationId), generation);
      if (!found) throw new SealError('sealed under a key that is gone');
      return found;
    },
  };
}

/** A new data key, wrapped. */
async function wrapFreshKey(
  { masterKeys, secrets }: Pick<DataKeyOptions, 'masterKeys' | 'secrets'>,
  organizationId: string,
): Promise<Uint8Array> {
  // Read again, so that a concurrent rotation of the master key is not undone.
  await masterKeys.reload();
  const [current] = masterKeys.keys();
  const secret = await secrets.ensure(organizationId);
  return wrapOrganizationKey(current, organizationId, generateOrganizationKey(), secret);
}

async function unwrapKey(
  { masterKeys, secrets }: Pick<DataKeyOptions, 'masterKeys' | 'secrets'>,
  organizationId: string,
  { wrapped, previous, generation }: WrappedDataKey,
): Promise<DataKey> {
  const id = wrappingMasterId(wrapped);
  if (!masterKeys.keys().some((master) => master.id === id)) await masterKeys.reload();
  const secret = await secrets.read(organizationId);
  const open = (bytes: Uint8Array) =>
    unwrapOrganizationKey(masterKeys.keys(), organizationId, bytes, secret);
  return { current: open(wrapped), generation, previous: previous && open(previous) };
}

function keyOf(key: DataKey | undefined, generation: number): KeyObject | null {
  if (key?.generation === generation) return key.current;
  return key?.generation === generation + 1 ? key.previous : null;
}
