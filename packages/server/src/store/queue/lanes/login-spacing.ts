import { type RawBuilder, sql } from 'kysely';
import { HOUR_MS } from '../../../rules/durations.ts';
import type { Outcome } from '../../../rules/endings/endings.ts';
import type { Transaction } from '../../transactions/script.ts';

/** Institutions count wrong logins, so a link waits this long after an answer that was not understood. */
export const LOGIN_SPACING_MS = 60_000;
/** The most that a link waits because the portal asked for it: no header may stop it for good. */
const MAX_ASKED_MS = HOUR_MS;

/** Until when the head of its link's lane must not start; null when nothing holds it back. */
export function heldUntil(accountLinkId: unknown, envScope: unknown): RawBuilder<number | null> {
  return sql`(select login_not_before from account_links
    where account_links.id = ${accountLinkId} and ${envScope} <> 'sandbox')`;
}

type Demand = Pick<Outcome, 'spacesLogins' | 'leaveAlone'>;

/** Whether what a job ended with holds its link back. */
export function holdsLink(outcome: Demand): boolean {
  return holdMs(outcome) > 0;
}

function holdMs({ spacesLogins = false, leaveAlone }: Demand): number {
  const spacing = spacesLogins ? LOGIN_SPACING_MS : 0;
  return Math.max(spacing, Math.min(leaveAlone?.ms ?? 0, MAX_ASKED_MS));
}

/** Holds the link back for what its ended job demands; never shortens an earlier demand. */
export async function holdLink(
  tx: Transaction,
  accountLinkId: string | null,
  at: number,
  outcome: Demand,
): Promise<void> {
  if (accountLinkId === null || !holdsLink(outcome)) return;
  const until = at + holdMs(outcome);
  await tx.db
    .updateTable('account_links')
    .set({ login_not_before: until })
    .where('id', '=', accountLinkId)
    .where(sql<boolean>`coalesce(login_not_before, 0) < ${until}`)
    .execute();
}
