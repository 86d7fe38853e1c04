import type { Job } from './job.ts';

/** Does this reading tell a person anything that the one before did not? */
export function isNews(before: Job | null, now: Job): boolean {
  return (
    before === null ||
    before.status !== now.status ||
    before.progress !== now.progress ||
    before.progressMessage !== now.progressMessage
  );
}
