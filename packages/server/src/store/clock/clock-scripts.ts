import { sql } from 'kysely';
import { read, write } from '../transactions/script.ts';

const CLOCK_OFFSET = 'clock_offset_ms';
const TOUCHED = 'last_health_write';

/** The database's clock, and the offset that only the test clock changes. */
export const clockScripts = {
  /** Business time in milliseconds. */
  now: read(async (tx) => tx.now()),
  /** Real time in milliseconds. */
  realNow: read(async (tx) => tx.realNow()),
  /** Moves business time forward for every process, beyond restarts. Returns the new business time. */
  advance: write(async (tx, input: { readonly seconds: number }): Promise<number> => {
    if (!(input.seconds >= 0)) throw new RangeError('the test clock only goes forward');
    const ms = Math.round(input.seconds * 1000);
    await tx.db
      .insertInto('settings')
      .values({ name: CLOCK_OFFSET, value: String(ms) })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({
          value: sql`cast(cast(settings.value as bigint) + cast(${ms} as bigint) as text)`,
        }),
      )
      .execute();
    tx.signal({ kind: 'changed' });
    return tx.now();
  }),
  /** Writes a meaningless value, to find out whether anything can be written. */
  touch: write(async (tx): Promise<void> => {
    const value = String(await tx.realNow());
    await tx.db
      .insertInto('settings')
      .values({ name: TOUCHED, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }),
};
