import type { Store } from '../store/database.ts';

/** Cancels an organization's queued jobs, or only those that one principal submitted. */
export async function cancelQueued(
  { queuedJobs }: Pick<Store, 'queuedJobs'>,
  by: { readonly organizationId: number; readonly submittedBy: string | null },
  stop?: AbortSignal,
): Promise<void> {
  for (let jobs = await queuedJobs.find(by); jobs.length > 0; jobs = await queuedJobs.find(by)) {
    for (const job of jobs) {
      if (stop?.aborted) return;
      await queuedJobs.cancel(job);
    }
  }
}
