import { sunsetOf } from '../rules/products/version-states.ts';

/**
 * Headers for jobs whose product version is deprecated: since when, and when it is retired (RFC 9745,
 * RFC 8594).
 * @param deprecatedAt milliseconds, or null when it is not deprecated
 */
export function deprecationHeaders(deprecatedAt: number | null): Record<string, string | number> {
  if (deprecatedAt === null) return {};
  return {
    deprecation: `@${Math.floor(deprecatedAt / 1000)}`,
    sunset: new Date(sunsetOf(deprecatedAt)).toUTCString(),
  };
}
