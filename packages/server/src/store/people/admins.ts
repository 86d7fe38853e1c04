import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';

export interface AdminFacts {
  readonly adminId: number;
  readonly email: string;
  readonly tokenEpoch: number;
}

/** Operators. Only commands create and remove them. */
export const adminScripts = {
  /** Null when there is none, or it was removed. */
  find: read(
    async (tx, by: { adminId: number } | { email: string }): Promise<AdminFacts | null> => {
      const query = tx.db
        .selectFrom('admins')
        .select(['id', 'email', 'token_epoch'])
        .where('removed_at', 'is', null);
      const row = await ('adminId' in by
        ? query.where('id', '=', by.adminId)
        : query.where('email', '=', by.email)
      ).executeTakeFirst();
      return row ? { adminId: row.id, email: row.email, tokenEpoch: row.token_epoch } : null;
    },
  ),

  /** Creating a removed one restores it; its old tokens stay invalid. Idempotent. */
  create: write(async (tx, input: { email: string; actor: Actor }): Promise<AdminFacts> => {
    const row = await tx.db
      .insertInto('admins')
      .values({ email: input.email, created_at: tx.clock })
      .onConflict((conflict) => conflict.column('email').doUpdateSet({ removed_at: null }))
      .returning(['id', 'email', 'token_epoch'])
      .executeTakeFirstOrThrow();
    await recordAct(tx, input.actor, {
      organizationId: null,
      act: 'admin.create',
      target: String(row.id),
    });
    return { adminId: row.id, email: row.email, tokenEpoch: row.token_epoch };
  }),

  /**
   * Invalidates every token of an admin, who can do nothing until created again.
   * @throws ServiceError RESOURCE_NOT_FOUND
   */
  remove: write(async (tx, input: { email: string; actor: Actor }): Promise<void> => {
    const row = await tx.db
      .updateTable('admins')
      .set(({ eb }) => ({ removed_at: tx.clock, token_epoch: eb('token_epoch', '+', 1) }))
      .where('email', '=', input.email)
      .where('removed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined)
      throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `operator ${input.email}` });
    await recordAct(tx, input.actor, {
      organizationId: null,
      act: 'admin.remove',
      target: String(row.id),
    });
  }),

  /** Records that a command issued a token. */
  tokenIssued: write(
    async (tx, input: { adminId: number; jti: string; expiresAt: number; actor: Actor }) => {
      await recordAct(tx, input.actor, {
        organizationId: null,
        act: 'admin.token',
        target: String(input.adminId),
        details: { jti: input.jti, expires_at: input.expiresAt },
      });
    },
  ),
};
