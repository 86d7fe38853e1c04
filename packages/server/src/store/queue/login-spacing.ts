import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '../../rules/endings/endings.ts';
import type { Transaction } from '../transactions/script.ts';

/** Institutions count wrong logins, so a link waits this long after an answer that was not understood. */
export const LOGIN_SPACING_MS = 60_000;
/** The most that a link waits because the portal asked for it: no header may stop it for good. */
const MAX_ASKED_MS = 60 * 60_000;

/** Until when the head of its link's lane must not start; null when nothing holds it back. */
export function heldUntil(accountLinkId: unknown, envScope: unknown): RawBuilder<number | null> {
  return sql`(select login_not_before from account_links
    where account_links.id = ${accountLinkId} and ${envScope} <> 'sandbox')`;
}

/** Holds the link back for what its ended job demands; never shortens an earlier demand. */
export async function holdLink(
  tx: Transaction,
  accountLinkId: string | null,
  at: number,
  { spacesLogins = false, leaveAlone }: Pick<Outcome, 'spacesLogins' | 'leaveAlone'>,
): Promise<void> {
  const spacing = spacesLogins ? LOGIN_SPACING_MS : 0;
  const asked = Math.min(leaveAlone?.ms ?? 0, MAX_ASKED_MS);
  const holdMs = Math.max(spacing, asked);
  if (accountLinkId === null || holdMs === 0) return;
  await tx.db
    .updateTable('account_links')
    .set({ login_not_before: at + holdMs })
    .where('id', '=', accountLinkId)
    .where(sql<boolean>`coalesce(login_not_before, 0) < ${at + holdMs}`)
    .execute();
}
