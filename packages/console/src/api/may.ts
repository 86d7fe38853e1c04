import { ORGANIZATION_ROLES } from '@changgu/contract';
import { OPERATION_TABLE } from '../generated/operation-table.ts';
import type { OperationName } from './call.ts';
import { session } from './session.ts';

/** Whether the service would allow the call, by the same table that the service uses. */
export function may(name: OperationName): boolean {
  const [, , role, operator]: readonly [string, string, string, boolean] = OPERATION_TABLE[name];
  const who = session.value;
  if (role === 'anyone') return true;
  if (who === null || who === undefined) return false;
  if (who.kind === 'operator') return operator;
  const roles: readonly string[] = ORGANIZATION_ROLES;
  return roles.includes(role) && roles.indexOf(who.role) >= roles.indexOf(role);
}
