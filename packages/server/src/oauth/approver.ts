import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { isAdministrator } from '../rules/principals/roles.ts';
import type { Store } from '../store/database.ts';

/** The person who decides about a client. */
export interface Approver {
  readonly email: string;
  /** Those to which they may give a client access. */
  readonly organizations: readonly { readonly id: number; readonly name: string }[];
}

export async function readApprover(
  { users }: Pick<Store, 'users'>,
  principal: ConsolePrincipal,
): Promise<Approver> {
  const { userId, organizationId: id, role } = principal;
  const user = await users.find({ userId });
  return {
    email: user?.email ?? '',
    organizations: isAdministrator(role) ? [{ id, name: user?.organizationName ?? '' }] : [],
  };
}
