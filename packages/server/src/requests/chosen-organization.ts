import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@changgu/contract';
import type { Principal } from '../rules/principals/principal.ts';
import { invalidValue } from '../rules/service-error.ts';

const LOC = ['header', 'X-Organization-Id'];

interface Organizations {
  readonly organizations: { readonly requireKnown: (id: number) => Promise<void> };
}

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

/**
 * Like `chosenOrganization`, for lists: those of an organization that was never there are not empty.
 * @throws ServiceError 400 when an admin names none, RESOURCE_NOT_FOUND
 */
export async function knownOrganization(
  store: Organizations,
  principal: Principal,
  headers: IncomingHttpHeaders,
): Promise<number> {
  const id = chosenOrganization(principal, headers);
  await assertKnown(store, principal, id);
  return id;
}

/** @throws ServiceError RESOURCE_NOT_FOUND when an admin names an organization that was never there */
export async function assertKnown(
  { organizations }: Organizations,
  principal: Principal,
  organizationId: number,
): Promise<void> {
  // Everyone else is of the organization.
  if (principal.kind === 'admin_user') await organizations.requireKnown(organizationId);
}
