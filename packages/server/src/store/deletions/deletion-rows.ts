import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import type { Transaction } from '../transactions/script.ts';

export type DeletionRow = Selectable<Database['deletion_requests']>;

export async function lockDeletion(tx: Transaction, id: string): Promise<void> {
  await tx.dialect.lock(tx, `deletion:${id}`);
}

export async function findDeletion(tx: Transaction, id: string): Promise<DeletionRow | undefined> {
  return tx.db
    .selectFrom('deletion_requests')
    .select(COLUMNS.deletion_requests)
    .where('id', '=', id)
    .executeTakeFirst();
}

interface Withdrawal {
  readonly userId: number;
  readonly organizationId: number;
  readonly actor: Actor;
}

/** Withdraws what a user asked for within another script's transaction, which holds the lock `members`. */
export async function cancelDeletions(
  tx: Transaction,
  { userId, organizationId, actor }: Withdrawal,
): Promise<void> {
  const open = await tx.db
    .selectFrom('deletion_requests')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'PENDING')
    .execute();
  for (const { id } of open) {
    await lockDeletion(tx, id);
    const found = await findDeletion(tx, id);
    if (found?.status === 'PENDING')
      await cancelDeletion(tx, { id, organizationId, reason: null, actor });
  }
}

interface Cancellation {
  readonly id: string;
  readonly organizationId: number;
  readonly reason: string | null;
  readonly actor: Actor;
}

export async function cancelDeletion(
  tx: Transaction,
  { id, organizationId, reason, actor }: Cancellation,
): Promise<DeletionRow> {
  const row = await tx.db
    .updateTable('deletion_requests')
    .set({ status: 'CANCELED', canceled_at: tx.clock, cancel_reason: reason })
    .where('id', '=', id)
    .returning(COLUMNS.deletion_requests)
    .executeTakeFirstOrThrow();
  await recordAct(tx, actor, { organizationId, act: 'deletion.withdraw', target: id });
  return row;
}

/** The id of the endpoint deleted; null when there is none. */
export async function deleteNextWebhook(
  tx: Transaction,
  organizationId: number,
): Promise<string | null> {
  const next = await tx.db
    .selectFrom('webhooks')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (next === undefined) return null;
  await tx.db.deleteFrom('webhooks').where('id', '=', next.id).execute();
  tx.signal({ kind: 'webhook', organizationId });
  return next.id;
}
