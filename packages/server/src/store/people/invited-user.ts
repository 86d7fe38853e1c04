import { ServiceError } from '../../rules/service-error.ts';
import type { Transaction } from '../transactions/script.ts';

interface InvitedUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/**
 * The account of who was invited. A registration may take the address at any moment: it waits for no lock.
 * @throws ServiceError LINK_INVALID when the address is taken
 */
export async function createInvitedUser(
  tx: Transaction,
  { email, name, passwordHash }: InvitedUser,
): Promise<number> {
  const user = await tx.db
    .insertInto('users')
    .values({ email, name, password_hash: passwordHash, created_at: tx.clock })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (user === undefined) throw new ServiceError('LINK_INVALID');
  return user.id;
}
