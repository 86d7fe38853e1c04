import { cancel } from './cancellation.ts';
import { jobReadScripts } from './job-reads.ts';
import { checkSubmission, submit } from './submission.ts';

/** Submitting, reading and cancelling jobs: `store.jobs.submit(…)`. What runs them is `store.engine`. */
export const jobScripts = {
  submit,
  checkSubmission,
  cancel,
  ...jobReadScripts,
};
