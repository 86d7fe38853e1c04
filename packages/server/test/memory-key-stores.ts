import type { KeyRecord, KeyRecordStore } from '../src/crypto/key-ring.ts';
import type { OrganizationKeyStore } from '../src/crypto/vault.ts';

/** The rows of a key ring in memory, for tests of the layers above the store. */
export function memoryKeyRecords(): KeyRecordStore & { readonly rows: Map<string, KeyRecord> } {
  const rows = new Map<string, KeyRecord>();
  return {
    rows,
    list: async () => [...rows.values()],
    async replaceCurrent(currentKid, next) {
      const current = [...rows.values()].find(({ retiredAt }) => retiredAt === null);
      if ((current?.kid ?? null) !== currentKid) return false;
      if (current) rows.set(current.kid, { ...current, retiredAt: next.createdAt });
      rows.set(next.kid, next);
      return true;
    },
    async destroy(kids) {
      for (const kid of kids) rows.delete(kid);
    },
  };
}

/** The wrapped organization keys in memory. */
export function memoryOrganizationKeys(): OrganizationKeyStore & {
  readonly rows: Map<string, Uint8Array>;
} {
  const rows = new Map<string, Uint8Array>();
  return {
    rows,
    async load(organizationId) {
      const wrapped = rows.get(organizationId);
      return wrapped ? { wrapped, generation: 0, previous: null } : null;
    },
    async saveIfAbsent(organizationId, wrapped) {
      const standing = rows.get(organizationId) ?? wrapped;
      rows.set(organizationId, standing);
      return { wrapped: standing, generation: 0, previous: null };
    },
  };
}
