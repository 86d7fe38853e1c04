import type { Job } from '@changgu/sdk';
import { expect, it } from 'vitest';
import { textsOf } from '../language.ts';
import { jobFailure } from './job-failure.ts';

const error = {
  code: 'JOB_TIMEOUT',
  retryable: true,
  providerErrorRef: null,
  upstreamStatus: null,
};
const jobWith = (message: string) =>
  ({ jobId: 'job_1', status: 'TIMEOUT', hadEffect: 'no', error: { ...error, message } }) as Job;

it('tells why a job failed in the language of the run', async () => {
  const job = jobWith('제한 시간 안에 끝나지 않았습니다.');
  expect(jobFailure(job, await textsOf('en')).message).toContain('The job did not finish in time.');
  expect(jobFailure(job, await textsOf('ko')).message).toContain('제한 시간 안에');
});

it('leaves the words of an institution as they are', async () => {
  expect(jobFailure(jobWith('점검 중'), await textsOf('en')).message).toContain('점검 중');
});
