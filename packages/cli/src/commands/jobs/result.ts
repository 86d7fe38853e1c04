import { ApiError, type JobResult } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { isJson } from '../../output/format.ts';
import { jobFailure } from '../../output/job-failure.ts';
import { printResult } from './print-result.ts';
import { RESULT } from './result-layout.ts';
import { waitForEnd } from './waiting.ts';

interface ResultOptions {
  readonly wait?: true | undefined;
}

export const result = reads<[jobId: string, options: ResultOptions]>(
  // Which action the job ran is known with its answer.
  ({ output }) =>
    isJson(output.format) || output.format === 'id'
      ? RESULT
      : { fields: null, columns: [], id: '' },
  async (cli, jobId, { wait }) => {
    const client = await cli.client();
    if (wait) await waitForEnd(cli, client.jobs.resume(jobId));
    await printResult(cli, await readResult(cli, jobId));
    return undefined;
  },
);

/** A job that did not succeed has no result, but a reason. */
async function readResult(cli: Cli, jobId: string): Promise<JobResult> {
  const client = await cli.client();
  try {
    return await client.jobs.result(jobId, cli.call);
  } catch (error) {
    // One that may still succeed is another matter.
    const hopeless = error instanceof ApiError && error.code === 'JOB_NOT_SUCCEEDED';
    if (!hopeless || error.retryable) throw error;
    throw jobFailure(await client.jobs.get(jobId, cli.call), cli.texts);
  }
}
