import type { Transaction } from '../transactions/script.ts';

/**
 * Closes an account: none of its credentials works any longer, and its address becomes free.
 * False when it was closed before.
 */
export async function closeAccount(tx: Transaction, userId: number): Promise<boolean> {
  const closed = await tx.db
    .updateTable('users')
    .set((eb) => ({
      email: null,
      name: '탈퇴한 사용자',
      phone: null,
      password_hash: null,
      password_epoch: eb('password_epoch', '+', 1),
      email_verified_at: null,
      deleted_at: tx.clock,
    }))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  for (const table of [
    'console_sessions',
    'one_time_links',
    'factors',
    'recovery_codes',
    'identities',
    'vouched_sessions',
  ] as const) {
    await tx.db.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  return closed.numUpdatedRows > 0n;
}
