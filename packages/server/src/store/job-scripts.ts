import { cancel } from './queue/cancellation.ts';
import { jobOverviewScripts } from './queue/job-overviews.ts';
import { jobReadScripts } from './queue/job-reads.ts';
import { checkSubmission, submit } from './submission/accept-submission.ts';

/** Submitting, reading and canceling jobs: `store.jobs.submit(…)`. `store.engine` runs them. */
export const jobScripts = {
  submit,
  checkSubmission,
  cancel,
  ...jobReadScripts,
  ...jobOverviewScripts,
};
