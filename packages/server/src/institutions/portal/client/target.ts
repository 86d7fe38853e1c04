import type { PortalRequest } from '../../connector.ts';
import { InstitutionError } from '../../institution-error.ts';
import { encodeForm } from '../charset.ts';

/** @throws InstitutionError for an address elsewhere: a connector may follow what a page names */
export function targetOf(
  base: URL,
  origins: readonly string[],
  { path, query, charset }: PortalRequest,
): URL {
  const prefix = base.pathname.replace(/\/$/, '');
  const address = path.startsWith('/') ? `${prefix}${path}` : path;
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (url === null || !origins.includes(url.origin)) {
    const cause = new TypeError(`${url?.origin ?? 'the address'} is not the institution`);
    throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', { transient: false, cause });
  }
  if (query !== undefined) url.search = encodeForm(query, charset);
  return url;
}
