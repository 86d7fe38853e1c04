import { CANCELED } from '../../rules/endings/endings.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, write } from '../transactions/script.ts';
import { end, type LaneJob } from './end-jobs.ts';
import { IS_QUEUED } from './job-predicates.ts';

/** Queued jobs, for what cancels them from outside: a revoked key, a deleted organization. */
export const queuedJobScripts = {
  /** Some of them, the last in line first, so that none becomes the head of its lane only to end next. */
  find: read(
    async (
      tx,
      by: { readonly organizationId: number; readonly submittedBy: string | null },
    ): Promise<LaneJob[]> => {
      let query = tx.db
        .selectFrom('jobs')
        .select(['id', 'lane'])
        .where('organization_id', '=', by.organizationId)
        .where(IS_QUEUED)
        .orderBy('seq', 'desc')
        .limit(BATCH_ROWS);
      if (by.submittedBy !== null) query = query.where('submitted_by', '=', by.submittedBy);
      return query.execute();
    },
  ),

  /** One job per transaction, so that a lane is kept from others no longer than its own job takes. */
  cancel: write(async (tx, job: LaneJob): Promise<void> => {
    await end(tx, job, CANCELED, { status: 'QUEUED' });
  }),
};
