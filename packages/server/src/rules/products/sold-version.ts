import type { VersionStatus } from '@changgu/contract/schemas';

/** The current version of a product, which is the one on sale. */
export interface SoldVersion {
  readonly action: string;
  readonly versionId: number;
  readonly resultSchema: string;
  readonly status: VersionStatus;
  readonly publishedAt: number | null;
}

export interface DeprecatedVersion {
  readonly versionId: number;
  readonly deprecatedAt: number | null;
}

/**
 * The version that a new job of each action gets. If several products sell one action, it is the
 * one published last. An action whose versions are all retired has none.
 */
export function soldByAction(current: readonly SoldVersion[]): ReadonlyMap<string, SoldVersion> {
  const oldestFirst = current
    .filter(({ status }) => status !== 'RETIRED')
    .toSorted((a, b) => (a.publishedAt ?? 0) - (b.publishedAt ?? 0) || a.versionId - b.versionId);
  return new Map(oldestFirst.map((version) => [version.action, version]));
}
