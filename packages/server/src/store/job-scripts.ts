import { cancel } from './queue/cancellation.ts';
import { jobOverviewScripts } from './queue/job-overviews.ts';
import { jobReadScripts } from './queue/job-reads.ts';
import { checkSubmission, submit } from './submission/accept-submission.ts';

/** Submitting, reading and cancelling jobs: `store.jobs.submit(…)`. What runs them is `store.engine`. */
export const jobScripts = {
  submit,
  checkSubmission,
  cancel,
  ...jobReadScripts,
  ...jobOverviewScripts,
};
