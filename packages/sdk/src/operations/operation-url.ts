import { ConfigurationError } from '../errors/transport-errors.ts';

/** The one path that is needed without sending anything. */
export const CONSENT_RETURN = '/v1/credentials/consent-return';

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

/** Fills a path template and appends a query. Every value is encoded, and an empty one cannot change the route. */
export function operationUrl(
  origin: string,
  template: string,
  path: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]));
  const search = queryString(query);
  return `${origin}${filled}${search && `?${search}`}`;
}

function segment(name: string, value: string | number | undefined): string {
  const text = String(value ?? '');
  // Half a character is in no URL, and dots would change the route.
  if (/^\.{0,2}$|\p{Surrogate}/u.test(text)) {
    throw new ConfigurationError(`${name} must be given, and fit into a URL.`);
  }
  return encodeURIComponent(text);
}

/** Arrays repeat their name. */
function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const given = Object.entries(query);
  if (given.length === 0) return '';
  const search = new URLSearchParams();
  for (const [name, value] of given) {
    for (const item of [value ?? []].flat()) search.append(name, String(item));
  }
  return search.toString();
}
