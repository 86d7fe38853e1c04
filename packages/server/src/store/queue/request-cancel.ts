import type { Transaction } from '../transactions/script.ts';
import { IS_RUNNING, NAMED } from './job-predicates.ts';
import { addToTimeline } from './timeline.ts';

type Whose =
  | { readonly id: string }
  | { readonly account_link_id: string }
  | { readonly organization_id: number };

/**
 * Asks running jobs to stop and says so in their timelines. Guarded like the point of no return: whichever of the two
 * commits first wins. Returns the jobs that were asked now.
 */
export async function requestCancel(tx: Transaction, whose: Whose): Promise<readonly string[]> {
  const rows = await tx.db
    .updateTable('jobs')
    .set({ cancel_requested: 1 })
    .where((eb) => eb.and(whose))
    .where('id' in whose ? NAMED.isRunning : IS_RUNNING)
    .where('submit_step_at', 'is', null)
    .where('cancel_requested', '=', 0)
    .returning('id')
    .execute();
  const asked = rows.map(({ id }) => id);
  const at = await tx.now();
  await addToTimeline(
    tx,
    asked.map((id) => ({ job_id: id, at, kind: 'cancel_requested', message: null })),
  );
  for (const id of asked) tx.signal({ kind: 'cancel', jobId: id });
  return asked;
}
