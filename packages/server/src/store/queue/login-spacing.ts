import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../transactions/script.ts';

/** Institutions count wrong logins, so a link waits this long after an answer that was not understood. */
export const LOGIN_SPACING_MS = 60_000;

/** Until when the head of its link's lane must not start; null when nothing holds it back. */
export function heldUntil(accountLinkId: unknown, envScope: unknown): RawBuilder<number | null> {
  return sql`(select login_not_before from account_links
    where account_links.id = ${accountLinkId} and ${envScope} <> 'sandbox')`;
}

export async function spaceLogins(
  tx: Transaction,
  accountLinkId: string | null,
  at: number,
): Promise<void> {
  if (accountLinkId === null) return;
  await tx.db
    .updateTable('account_links')
    .set({ login_not_before: at + LOGIN_SPACING_MS })
    .where('id', '=', accountLinkId)
    .execute();
}
