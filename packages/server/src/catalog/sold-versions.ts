import { type SoldVersion, soldByAction } from '../rules/products/sold-version.ts';
import type { PinnedProduct } from '../rules/submission/submission.ts';
import type { Store } from '../store/database.ts';

/** How long another process may continue to sell a retired version, in milliseconds. */
const FRESH_MS = 1_000;

interface Versions {
  readonly sold: ReadonlyMap<string, SoldVersion>;
  readonly deprecated: Deprecated;
}

/** Since when, by version. */
type Deprecated = ReadonlyMap<number, number>;

interface Reading {
  readonly at: number;
  /** A promise until it has been read. */
  versions: Versions | Promise<Versions>;
}

export interface SoldVersions {
  /** The version that a new job of this action gets. An action without a product on sale is retired. */
  pin(actionId: string): Promise<PinnedProduct>;
  /**
   * The deprecated versions, most often none. A promise only once a second, when they are read; one that never rejects,
   * because they only inform: those of the last reading where there is none.
   */
  deprecated(): Deprecated | Promise<Deprecated>;
  /** Call after a change in this process. */
  forget(): void;
}

/** The versions on sale for each action, read at most once a second because they change a few times a year. */
export function createSoldVersions(
  store: Pick<Store, 'products'>,
  now: () => number,
): SoldVersions {
  let read: Reading | null = null;
  let lastDeprecated: Deprecated = new Map();

  function current(): Versions | Promise<Versions> {
    if (!read || now() - read.at >= FRESH_MS) {
      const versions = readVersions(store);
      const reading: Reading = { at: now(), versions };
      read = reading;
      versions.then(
        (found) => {
          reading.versions = found;
          lastDeprecated = found.deprecated;
        },
        () => {
          if (read === reading) read = null;
        },
      );
    }
    return read.versions;
  }

  return {
    async pin(actionId) {
      const version = (await current()).sold.get(actionId);
      if (!version) {
        return { versionId: null, resultSchema: `${actionId}.v1`, retired: true };
      }
      const { versionId, resultSchema } = version;
      return { versionId, resultSchema, retired: false };
    },
    deprecated() {
      const versions = current();
      if (!(versions instanceof Promise)) return versions.deprecated;
      return versions.then(
        ({ deprecated }) => deprecated,
        () => lastDeprecated,
      );
    },
    forget() {
      read = null;
    },
  };
}

async function readVersions({ products }: Pick<Store, 'products'>): Promise<Versions> {
  const [sold, deprecated] = await Promise.all([products.sold(), products.deprecated()]);
  return {
    sold: soldByAction(sold),
    deprecated: new Map(
      deprecated.flatMap(({ versionId, deprecatedAt }) =>
        deprecatedAt === null ? [] : [[versionId, deprecatedAt]],
      ),
    ),
  };
}
