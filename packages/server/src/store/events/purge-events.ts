import { sql } from 'kysely';
import { write } from '../transactions/script.ts';

/** Rows deleted per transaction. */
const PURGED_AT_ONCE = 1_000;

export const eventPurgeScripts = {
  /** Deletes expired events; readers before them continue with the oldest that is left. */
  purgeEvents: write(async (tx, retentionMs: number): Promise<boolean> => {
    const before = (await tx.now()) - retentionMs;
    // Without a lock, which PostgreSQL would write into each row that stays, too.
    const oldest = await tx.db
      .selectFrom('events')
      .select(['tx', 'seq', 'at'])
      .orderBy('tx')
      .orderBy('seq')
      .limit(PURGED_AT_ONCE)
      .execute();
    const kept = oldest.findIndex(({ at }) => at > before);
    const due = kept === -1 ? oldest : oldest.slice(0, kept);
    const last = due.at(-1);
    if (last === undefined) return false;
    await tx.db
      .deleteFrom('events')
      .where(sql<boolean>`(tx, seq) <= (${last.tx}, ${last.seq})`)
      .execute();
    return due.length === PURGED_AT_ONCE;
  }),
};
