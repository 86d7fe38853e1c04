import type { ConsolePrincipal } from './principal.ts';

/** Whether this person may give a program access to the organization: those who may issue keys may. */
export function mayApprove({ role }: Pick<ConsolePrincipal, 'role'>): boolean {
  return role !== 'MEMBER';
}
