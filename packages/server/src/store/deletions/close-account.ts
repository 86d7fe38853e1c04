import type { OrganizationRole } from '@changgu/contract';
import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import type { Transaction } from '../transactions/script.ts';

/**
 * Closes an account: none of its credentials works any longer, its address becomes free, and what
 * the person wrote is gone. False when it was closed before.
 */
export async function closeAccount(tx: Transaction, userId: number): Promise<boolean> {
  const open = await tx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (typeof open?.email === 'string') await forgetInvitations(tx, open.email);
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
  await tx.db
    .updateTable('deletion_requests')
    .set({ reason_text: null, cancel_reason: null })
    .where('user_id', '=', userId)
    .execute();
  return closed.numUpdatedRows > 0n;
}

/** An open one remains: what another organization offers to the address is not the account's. */
async function forgetInvitations(tx: Transaction, email: string): Promise<void> {
  const now = await tx.realNow();
  await tx.db
    .deleteFrom('invitations')
    .where('email', '=', email)
    .where(({ eb, or }) =>
      or([
        eb('accepted_at', 'is not', null),
        eb('revoked_at', 'is not', null),
        eb('expires_at', '<=', now),
      ]),
    )
    .execute();
}

interface Remaining {
  readonly organizationId: number;
  readonly members: readonly { readonly userId: number; readonly role: OrganizationRole }[];
  readonly actor: Actor;
}

/**
 * Closes the accounts of those who are left in an organization that closes. Without one, no one
 * could use or delete them, and their addresses would stay taken.
 */
export async function closeRemainingAccounts(tx: Transaction, remaining: Remaining): Promise<void> {
  const { organizationId, members, actor } = remaining;
  for (const { userId, role } of members) {
    if (!(await closeAccount(tx, userId))) continue;
    await recordAct(tx, actor, {
      organizationId,
      act: 'member.remove',
      target: String(userId),
      details: { role },
    });
  }
}
