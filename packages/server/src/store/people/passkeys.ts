import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import {
  endOtherSessions,
  type Factor,
  hasFactor,
  lockFactors,
  replaceCodes,
} from './own-factors.ts';

/** Per user. */
const MAX_PASSKEYS = 20;

/** The data for verifying a signature. */
export interface PasskeyFacts {
  readonly id: string;
  readonly userId: number;
  readonly credentialId: string;
  readonly userHandle: string;
  /** Sealed. */
  readonly publicKey: Uint8Array;
}

/** What the browser must know about a user's passkeys. */
export interface OwnPasskeys {
  readonly userHandle: string | null;
  readonly credentials: readonly { readonly id: string; readonly transports: readonly string[] }[];
}

export interface NewPasskey {
  readonly id: string;
  readonly userId: number;
  readonly organizationId: number;
  readonly label: string | null;
  readonly credentialId: string;
  readonly userHandle: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Stored only if this is the user's first factor. */
  readonly codeHashes: readonly string[];
  readonly sessionId: string | null;
  readonly actor: Actor;
}

/** Factors that sign, in real time. */
export const passkeyScripts = {
  ofUser: read(async (tx, userId: number): Promise<OwnPasskeys> => {
    const rows = await tx.db
      .selectFrom('factors')
      .select(['credential_id', 'user_handle', 'transports'])
      .where('user_id', '=', userId)
      .where('kind', '=', 'passkey')
      .execute();
    return {
      userHandle: rows[0]?.user_handle ?? null,
      credentials: rows.map((row) => ({
        id: row.credential_id ?? '',
        transports: row.transports ? row.transports.split(',') : [],
      })),
    };
  }),

  find: read(async (tx, credentialId: string): Promise<PasskeyFacts | null> => {
    const row = await tx.db
      .selectFrom('factors')
      .select(['id', 'user_id', 'user_handle', 'secret'])
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      id: row.id,
      userId: row.user_id,
      credentialId,
      userHandle: row.user_handle ?? '',
      publicKey: row.secret,
    };
  }),

  /**
   * Returns whether it is the user's first factor.
   * @throws ServiceError CONFLICT_DUPLICATE, POLICY_LIMIT_REACHED
   */
  add: write(
    async (
      tx,
      input: NewPasskey,
    ): Promise<{ readonly factor: Factor; readonly isFirst: boolean }> => {
      const { id, userId, label } = input;
      await lockFactors(tx, userId);
      await assertStands(tx, input.actor);
      const isFirst = !(await hasFactor(tx, userId));
      const own = await tx.db
        .selectFrom('factors')
        .select('id')
        .where('user_id', '=', userId)
        .where('kind', '=', 'passkey')
        .execute();
      if (own.length >= MAX_PASSKEYS) throw new ServiceError('POLICY_LIMIT_REACHED');
      const now = await tx.realNow();
      const added = await tx.db
        .insertInto('factors')
        .values({
          id,
          user_id: userId,
          kind: 'passkey',
          label,
          secret: input.publicKey,
          credential_id: input.credentialId,
          user_handle: input.userHandle,
          transports: input.transports.join(','),
          counter: input.counter,
          created_at: now,
          confirmed_at: now,
        })
        .onConflict((conflict) =>
          conflict.column('credential_id').where('credential_id', 'is not', null).doNothing(),
        )
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows !== 1n) throw new ServiceError('CONFLICT_DUPLICATE');
      if (isFirst) await replaceCodes(tx, userId, input.codeHashes);
      await endOtherSessions(tx, input);
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'factor.add',
        target: id,
        details: { kind: 'passkey' },
      });
      const factor = { id, kind: 'passkey', label, createdAt: now, lastUsedAt: null } as const;
      return { factor, isFirst };
    },
  ),

  /** False when the authenticator's counter was higher before, which means that a copy of it exists. */
  use: write(async (tx, input: { id: string; counter: number }): Promise<boolean> => {
    const { id, counter } = input;
    const used = await tx.db
      .updateTable('factors')
      .set({ counter, last_used_at: await tx.realNow() })
      .where('id', '=', id)
      .where((or) => (counter === 0 ? or('counter', '=', 0) : or('counter', '<', counter)))
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }),

  /** False when the attempt was already used. */
  useAttempt: write(
    async (tx, input: { attemptHash: string; expiresAt: number }): Promise<boolean> => {
      const used = await tx.db
        .insertInto('used_passkey_attempts')
        .values({ attempt_hash: input.attemptHash, expires_at: input.expiresAt })
        .onConflict((conflict) => conflict.column('attempt_hash').doNothing())
        .executeTakeFirst();
      return used.numInsertedOrUpdatedRows === 1n;
    },
  ),

  /** Deletes those that have expired. True while there may be more. */
  purgeAttempts: write(async (tx): Promise<boolean> => {
    const now = await tx.realNow();
    const gone = await tx.db
      .deleteFrom('used_passkey_attempts')
      .where('attempt_hash', 'in', (eb) =>
        eb
          .selectFrom('used_passkey_attempts')
          .select('attempt_hash')
          .where('expires_at', '<=', now)
          .limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    return gone.numDeletedRows >= BATCH_ROWS;
  }),
};
