import { DAY_MS } from '../../rules/durations.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { write } from '../transactions/script.ts';

const DELIVERY_RETENTION_MS = 30 * DAY_MS;

export const deliveryPurgeScripts = {
  /** Deletes expired deliveries. True while there may be more. */
  purgeDeliveries: write(async (tx): Promise<boolean> => {
    const before = (await tx.realNow()) - DELIVERY_RETENTION_MS;
    // Without a lock, which PostgreSQL would write into each row that stays, too.
    const oldest = await tx.db
      .selectFrom('webhook_deliveries')
      .select(['seq', 'created_at'])
      .orderBy('seq')
      .limit(BATCH_ROWS)
      .execute();
    const due = oldest.filter(({ created_at: at }) => at <= before);
    if (due.length === 0) return false;
    const seqs = due.map(({ seq }) => seq);
    await tx.db
      .deleteFrom('webhook_deliveries')
      .where(tx.dialect.isOneOf('seq', seqs, 'bigint'))
      .execute();
    return due.length === BATCH_ROWS;
  }),
};
