import { ORGANIZATION_ROLES, type OrganizationRole } from '@changgu/contract';

/** Each role includes the rights of those before it. */
export function hasRole(role: OrganizationRole, least: OrganizationRole): boolean {
  return ORGANIZATION_ROLES.indexOf(role) >= ORGANIZATION_ROLES.indexOf(least);
}

/** Who may issue keys, and so give programs access to the organization. */
export function isAdministrator(role: OrganizationRole): boolean {
  return hasRole(role, 'ADMIN');
}

export const ADMINISTRATORS = ORGANIZATION_ROLES.filter(isAdministrator);
