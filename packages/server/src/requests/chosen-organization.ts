import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@changgu/contract';
import type { Principal } from '../rules/principals/principal.ts';
import { invalidValue } from '../rules/service-error.ts';

const LOC = ['header', 'X-Organization-Id'];

/**
 * The organization that an admin names by X-Organization-Id, or null; other callers stay in their own.
 * @throws ServiceError 400 when the header is not an id
 */
export function hintedOrganization(
  principal: Principal,
  headers: IncomingHttpHeaders,
): number | null {
  if (principal.kind !== 'admin_user') return principal.organizationId;
  const text = headers['x-organization-id'];
  if (text === undefined) return null;
  const id = typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : LIMITS.id + 1;
  if (id <= LIMITS.id) return id;
  throw invalidValue([{ loc: LOC, msg: 'Input should be a valid integer', type: 'int_parsing' }]);
}

/**
 * Like `hintedOrganization`, for operations that do not otherwise identify an organization.
 * @throws ServiceError 400 when an admin names none
 */
export function chosenOrganization(principal: Principal, headers: IncomingHttpHeaders): number {
  const id = hintedOrganization(principal, headers);
  if (id !== null) return id;
  throw invalidValue([{ loc: LOC, msg: 'Field required', type: 'missing' }]);
}
