import type { ConsolePrincipal } from './principal.ts';

/** May this person give a program access to the organization? Those who may issue keys may. */
export function mayApprove({ role }: Pick<ConsolePrincipal, 'role'>): boolean {
  return role !== 'MEMBER';
}
