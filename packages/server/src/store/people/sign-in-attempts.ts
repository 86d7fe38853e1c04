import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, write } from '../transactions/script.ts';

/** Logins at identity providers that are under way. */
export const signInAttemptScripts = {
  save: write(
    async (
      tx,
      input: { readonly idHash: string; readonly payload: Uint8Array; readonly lifeMs: number },
    ): Promise<void> => {
      await tx.db
        .insertInto('sign_in_attempts')
        .values({
          id_hash: input.idHash,
          payload: input.payload,
          expires_at: (await tx.realNow()) + input.lifeMs,
        })
        .execute();
    },
  ),

  /** Without using it up. Null when it has ended. */
  look: read(async (tx, idHash: string): Promise<Uint8Array | null> => {
    const row = await tx.db
      .selectFrom('sign_in_attempts')
      .select('payload')
      .where('id_hash', '=', idHash)
      .where('expires_at', '>', await tx.realNow())
      .executeTakeFirst();
    return row?.payload ?? null;
  }),

  /** Each is taken once: of two callers at the same time one gets it. Null when it has ended. */
  take: write(async (tx, idHash: string): Promise<Uint8Array | null> => {
    const row = await tx.db
      .deleteFrom('sign_in_attempts')
      .where('id_hash', '=', idHash)
      .returning(['payload', 'expires_at'])
      .executeTakeFirst();
    return row !== undefined && row.expires_at > (await tx.realNow()) ? row.payload : null;
  }),

  /** Deletes those that have expired. True while there may be more. */
  purge: write(async (tx): Promise<boolean> => {
    const now = await tx.realNow();
    const gone = await tx.db
      .deleteFrom('sign_in_attempts')
      .where('id_hash', 'in', (eb) =>
        eb
          .selectFrom('sign_in_attempts')
          .select('id_hash')
          .where('expires_at', '<=', now)
          .limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    return gone.numDeletedRows >= BATCH_ROWS;
  }),
};
