import type { SoldVersions } from '../catalog/sold-versions.ts';
import { sunsetOf } from '../rules/products/version-states.ts';
import type { Store } from '../store/database.ts';

type Headers = Record<string, string | number>;

/** Headers of an answer about this job. A promise only where a version must be read. */
export type JobDeprecation = (jobId: string | null) => Headers | Promise<Headers>;

/**
 * Tells of each job whose product version is deprecated since when, and when that is retired (RFC 9745, RFC 8594).
 * A job keeps the version with which it was accepted, whatever is on sale now.
 */
export function createJobDeprecation(
  { jobs }: Pick<Store, 'jobs'>,
  sold: Pick<SoldVersions, 'deprecated'>,
): JobDeprecation {
  async function ofVersion(
    jobId: string,
    known: ReturnType<SoldVersions['deprecated']>,
  ): Promise<Headers> {
    const deprecated = await known;
    // Advice about a job that was accepted: it is answered, also where its version cannot be read.
    const version =
      deprecated.size === 0 ? null : await jobs.productVersion({ jobId }).catch(() => null);
    return headersOf(version === null ? null : (deprecated.get(version) ?? null));
  }

  return (jobId) => {
    const known = sold.deprecated();
    // Jobs are read most of all, and their version only where any is deprecated.
    const isNone = !(known instanceof Promise) && known.size === 0;
    return isNone || jobId === null ? {} : ofVersion(jobId, known);
  };
}

/** @param deprecatedAt milliseconds, or null when it is not deprecated */
function headersOf(deprecatedAt: number | null): Headers {
  if (deprecatedAt === null) return {};
  return {
    deprecation: `@${Math.floor(deprecatedAt / 1000)}`,
    sunset: new Date(sunsetOf(deprecatedAt)).toUTCString(),
  };
}
