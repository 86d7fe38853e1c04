import { type SoldVersion, soldByAction } from '../rules/products/sold-version.ts';
import type { PinnedProduct } from '../rules/submission/submission.ts';
import type { Store } from '../store/database.ts';

/** How long another process may continue to sell a retired version, in milliseconds. */
const FRESH_MS = 1_000;

export interface SoldVersions {
  /** The version that a new job of this action gets. An action without a product on sale is retired. */
  pin(actionId: string): Promise<PinnedProduct>;
  /** When this action's version was deprecated; null when it was not. */
  deprecatedAt(actionId: string): Promise<number | null>;
  /** Call after a change in this process. */
  forget(): void;
}

/** The versions on sale for each action, read at most once a second because they change a few times a year. */
export function createSoldVersions(
  store: Pick<Store, 'products'>,
  now: () => number,
): SoldVersions {
  let read: { at: number; byAction: Promise<ReadonlyMap<string, SoldVersion>> } | null = null;

  function current(): Promise<ReadonlyMap<string, SoldVersion>> {
    if (!read || now() - read.at >= FRESH_MS) {
      const byAction = store.products.sold().then(soldByAction);
      read = { at: now(), byAction };
      byAction.catch(() => {
        read = null;
      });
    }
    return read.byAction;
  }

  return {
    async pin(actionId) {
      const version = (await current()).get(actionId);
      if (!version) {
        return { versionId: null, resultSchema: `${actionId}.v1`, retired: true };
      }
      const { versionId, resultSchema } = version;
      return { versionId, resultSchema, retired: false };
    },
    async deprecatedAt(actionId) {
      const version = (await current()).get(actionId);
      return version?.status === 'DEPRECATED' ? version.deprecatedAt : null;
    },
    forget() {
      read = null;
    },
  };
}
