import { type SoldVersion, soldByAction } from '../rules/products/sold-version.ts';
import type { PinnedProduct } from '../rules/submission/submission.ts';
import type { Store } from '../store/database.ts';

/** How long another process may continue to sell a retired version, in milliseconds. */
const FRESH_MS = 1_000;

type ByAction = ReadonlyMap<string, SoldVersion>;

interface Reading {
  readonly at: number;
  /** A promise until it has been read. */
  byAction: ByAction | Promise<ByAction>;
}

export interface SoldVersions {
  /** The version that a new job of this action gets. An action without a product on sale is retired. */
  pin(actionId: string): Promise<PinnedProduct>;
  /** When this action's version was deprecated; null when it was not. A promise only once a second, when it is read. */
  deprecatedAt(actionId: string): number | null | Promise<number | null>;
  /** Call after a change in this process. */
  forget(): void;
}

/** The versions on sale for each action, read at most once a second because they change a few times a year. */
export function createSoldVersions(
  store: Pick<Store, 'products'>,
  now: () => number,
): SoldVersions {
  let read: Reading | null = null;

  function current(): ByAction | Promise<ByAction> {
    if (!read || now() - read.at >= FRESH_MS) {
      const byAction = store.products.sold().then(soldByAction);
      const reading: Reading = { at: now(), byAction };
      read = reading;
      byAction.then(
        (found) => {
          reading.byAction = found;
        },
        () => {
          if (read === reading) read = null;
        },
      );
    }
    return read.byAction;
  }

  function deprecatedIn(byAction: ByAction, actionId: string): number | null {
    const version = byAction.get(actionId);
    return version?.status === 'DEPRECATED' ? version.deprecatedAt : null;
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
    deprecatedAt(actionId) {
      const byAction = current();
      if (!(byAction instanceof Promise)) return deprecatedIn(byAction, actionId);
      return byAction.then((found) => deprecatedIn(found, actionId));
    },
    forget() {
      read = null;
    },
  };
}
