import { isEndState } from '@changgu/contract';
import { CANCELED } from '../../rules/endings/endings.ts';
import type { JobAccess } from '../../rules/jobs/job-access.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { RetryTransactionError, write } from '../transactions/script.ts';
import { end } from './end-jobs.ts';
import { findJob, type JobFacts, visible } from './job-reads.ts';
import { requestCancel } from './request-cancel.ts';

/**
 * Cancels a job as its state allows: at once while it is queued, by asking its worker while it
 * runs; a canceled job stays canceled.
 * @throws ServiceError JOB_NOT_FOUND, JOB_ALREADY_FINISHED, JOB_NOT_CANCELABLE
 */
export const cancel = write(
  async (
    tx,
    input: {
      readonly access: JobAccess;
      readonly jobId: string;
      readonly actor?: Actor | undefined;
    },
  ): Promise<JobFacts> => {
    const job = await tx.db
      .selectFrom('jobs')
      .select(['id', 'lane', 'status', 'submit_step_at', 'cancel_requested'])
      .where('id', '=', input.jobId)
      .where((eb) => visible(eb, input.access))
      .executeTakeFirst();
    if (job === undefined) throw new ServiceError('JOB_NOT_FOUND');
    if (isEndState(job.status) && job.status !== 'CANCELED') {
      throw new ServiceError('JOB_ALREADY_FINISHED');
    }
    if (job.status === 'QUEUED') {
      const ended = await end(tx, job, CANCELED, { status: 'QUEUED' });
      if (ended === null) throw new RetryTransactionError();
    }
    if (job.status === 'RUNNING') {
      if (job.submit_step_at !== null) throw new ServiceError('JOB_NOT_CANCELABLE');
      if (job.cancel_requested === 0) {
        const asked = await requestCancel(tx, { id: job.id });
        if (asked.length === 0) throw new RetryTransactionError();
      }
    }
    if (input.actor && job.status !== 'CANCELED' && job.cancel_requested === 0) {
      const { organizationId } = input.access;
      await recordAct(tx, input.actor, { organizationId, act: 'job.cancel', target: job.id });
    }
    const facts = await findJob(tx, input.access, input.jobId);
    if (facts === null) throw new ServiceError('JOB_NOT_FOUND');
    return facts;
  },
);
