import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

const ACTOR: Actor = { kind: 'system', id: 'identity-provider', traceId: null };

export interface VouchedSession {
  readonly sessionId: string;
  readonly provider: string;
  /** Sealed. */
  readonly tokens: Uint8Array;
}

/** Why a provider ended a session. */
export type EndReason = 'logged_out' | 'refused';

/** Console sessions that an identity provider vouches for as long as they last. */
export const vouchedSessionScripts = {
  /**
   * Takes those whose check is due, so that no other process asks at the same time: a refresh token that is used
   * twice would end them.
   */
  claimDue: write(
    async (
      tx,
      input: { readonly limit: number; readonly claimMs: number },
    ): Promise<VouchedSession[]> => {
      const now = await tx.realNow();
      const due = await tx.db
        .selectFrom('vouched_sessions')
        .innerJoin('console_sessions', 'console_sessions.id', 'vouched_sessions.session_id')
        .innerJoin('identities', 'identities.user_id', 'vouched_sessions.user_id')
        .select(['vouched_sessions.session_id', 'identities.provider', 'vouched_sessions.tokens'])
        .where('vouched_sessions.next_check_at', '<=', now)
        .orderBy('vouched_sessions.next_check_at')
        .limit(input.limit)
        .modifyEnd(tx.dialect.skipLocked)
        .execute();
      if (due.length > 0) {
        await tx.db
          .updateTable('vouched_sessions')
          .set({ next_check_at: now + input.claimMs })
          .where(
            'session_id',
            'in',
            due.map((row) => row.session_id),
          )
          .execute();
      }
      return due.map((row) => ({
        sessionId: row.session_id,
        provider: row.provider,
        tokens: row.tokens,
      }));
    },
  ),

  /** The provider still vouches. */
  renew: write(
    async (
      tx,
      input: {
        readonly sessionId: string;
        readonly tokens: Uint8Array;
        readonly vouchedForMs: number;
        readonly checkAfterMs: number;
      },
    ): Promise<void> => {
      const now = await tx.realNow();
      await tx.db
        .updateTable('vouched_sessions')
        .set({ tokens: input.tokens, next_check_at: now + input.checkAfterMs })
        .where('session_id', '=', input.sessionId)
        .execute();
      await tx.db
        .updateTable('console_sessions')
        .set({ vouched_until: now + input.vouchedForMs })
        .where('id', '=', input.sessionId)
        .execute();
    },
  ),

  /** The provider vouches no longer. */
  end: write(async (tx, input: { sessionId: string; reason: EndReason }): Promise<void> => {
    await endThese(tx, [input.sessionId], input.reason);
  }),

  /** The person has logged out at the provider: of one session there, or of all. Answers how many ended here. */
  endOf: write(
    async (
      tx,
      {
        issuer,
        subject,
        providerSid,
      }: {
        readonly issuer: string;
        readonly subject: string | null;
        readonly providerSid: string | null;
      },
    ): Promise<number> => {
      let query = tx.db
        .selectFrom('vouched_sessions')
        .innerJoin('identities', 'identities.user_id', 'vouched_sessions.user_id')
        .select('vouched_sessions.session_id')
        .where('identities.issuer', '=', issuer);
      if (subject !== null) query = query.where('identities.subject', '=', subject);
      if (providerSid !== null) {
        query = query.where('vouched_sessions.provider_sid', '=', providerSid);
      }
      const ids = (await query.execute()).map((row) => row.session_id);
      return endThese(tx, ids, 'logged_out');
    },
  ),

  /** What a session was opened with, sealed; null when no provider vouches for it. */
  find: read(async (tx, sessionId: string): Promise<Omit<VouchedSession, 'sessionId'> | null> => {
    const row = await tx.db
      .selectFrom('vouched_sessions')
      .innerJoin('identities', 'identities.user_id', 'vouched_sessions.user_id')
      .select(['identities.provider', 'vouched_sessions.tokens'])
      .where('vouched_sessions.session_id', '=', sessionId)
      .executeTakeFirst();
    return row ?? null;
  }),

  /** Deletes those whose console session has ended. True while there may be more. */
  purge: write(async (tx): Promise<boolean> => {
    const gone = await tx.db
      .deleteFrom('vouched_sessions')
      .where('session_id', 'in', (eb) =>
        eb
          .selectFrom('vouched_sessions')
          .leftJoin('console_sessions', 'console_sessions.id', 'vouched_sessions.session_id')
          .select('vouched_sessions.session_id')
          .where('console_sessions.id', 'is', null)
          .limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    return gone.numDeletedRows >= BATCH_ROWS;
  }),
};

async function endThese(
  tx: Transaction,
  sessionIds: readonly string[],
  reason: EndReason,
): Promise<number> {
  if (sessionIds.length === 0) return 0;
  const ended = await tx.db
    .selectFrom('console_sessions')
    .innerJoin('members', 'members.user_id', 'console_sessions.user_id')
    .select(['console_sessions.id', 'members.organization_id'])
    .where('console_sessions.id', 'in', [...sessionIds])
    .execute();
  await tx.db
    .deleteFrom('console_sessions')
    .where('id', 'in', [...sessionIds])
    .execute();
  await tx.db
    .deleteFrom('vouched_sessions')
    .where('session_id', 'in', [...sessionIds])
    .execute();
  for (const { id, organization_id: organizationId } of ended) {
    const details = { reason };
    await recordAct(tx, ACTOR, { organizationId, act: 'session.end', target: id, details });
  }
  return ended.length;
}
