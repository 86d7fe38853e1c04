import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import type { Transaction } from '../transactions/script.ts';
import { endSessionsOf } from './console-sessions.ts';

export interface Factor {
  readonly id: string;
  readonly kind: 'totp' | 'passkey';
  readonly label: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface OfUser {
  readonly userId: number;
  readonly organizationId: number;
  readonly actor: Actor;
}

/** Runs in the caller's transaction. Ends every session. */
export async function resetFactors(
  tx: Transaction,
  { userId, organizationId, actor }: OfUser,
): Promise<void> {
  await lockFactors(tx, userId);
  await deleteFactors(tx, userId);
  await endSessionsOf(tx, userId);
  await recordAct(tx, actor, { organizationId, act: 'factor.reset', target: String(userId) });
}

/** They were opened without the new factor. */
export async function endOtherSessions(
  tx: Transaction,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: string | null },
): Promise<void> {
  await tx.db
    .deleteFrom('console_sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', sessionId ?? '')
    .execute();
}

export async function hasFactor(tx: Transaction, userId: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface FactorRow {
  readonly id: string;
  readonly kind: Factor['kind'];
  readonly label: string | null;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

export function factorOf(row: FactorRow): Factor {
  const { id, kind, label } = row;
  return { id, kind, label, createdAt: row.created_at, lastUsedAt: row.last_used_at };
}

export async function lockFactors(tx: Transaction, userId: number): Promise<void> {
  await tx.dialect.lock(tx, `factors:${userId}`);
}

export async function replaceCodes(
  tx: Transaction,
  userId: number,
  codeHashes: readonly string[],
): Promise<void> {
  await tx.db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = codeHashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await tx.db.insertInto('recovery_codes').values(rows).execute();
}

export async function deleteFactors(tx: Transaction, userId: number): Promise<void> {
  for (const table of ['factors', 'recovery_codes'] as const) {
    await tx.db.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}
