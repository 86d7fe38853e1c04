import type { Job } from './job.ts';

/** Whether this state tells a person anything that the previous one did not. */
export function isNews(before: Job | null, now: Job): boolean {
  return (
    before === null ||
    before.status !== now.status ||
    before.progress !== now.progress ||
    before.progressMessage !== now.progressMessage
  );
}
