import { sql } from 'kysely';
import { hedgedWrite, write } from '../transactions/script.ts';
import { NAMED } from './job-predicates.ts';

interface Held {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** The leases of a worker's jobs, in real time (D03). */
export const leaseScripts = {
  /** Renews them. Returns those that still belong to the worker; it has lost the missing ones. */
  heartbeat: hedgedWrite(
    async (
      tx,
      input: Held & { readonly leaseMs: number },
    ): Promise<{ readonly id: string; readonly cancelRequested: boolean }[]> => {
      if (input.ids.length === 0) return [];
      const rows = await tx.db
        .updateTable('jobs')
        .set({ lease_until: sql<number>`${tx.dialect.clock} + ${input.leaseMs}` })
        .where('id', 'in', input.ids)
        .where(NAMED.isRunning)
        .where('lease_owner', '=', input.owner)
        .returning(['id', 'cancel_requested'])
        .execute();
      return rows.map((row) => ({ id: row.id, cancelRequested: row.cancel_requested === 1 }));
    },
  ),

  /** Ends them at once, so that another worker can take the jobs over (D03). */
  release: write(async (tx, input: Held): Promise<void> => {
    if (input.ids.length === 0) return;
    await tx.db
      .updateTable('jobs')
      .set({ lease_until: 0 })
      .where('id', 'in', input.ids)
      .where(NAMED.isRunning)
      .where('lease_owner', '=', input.owner)
      .execute();
    tx.signal({ kind: 'changed' });
  }),
};
