import { ApiError, type JobResult } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { isJson } from '../../output/format.ts';
import { jobFailure } from '../../output/job-failure.ts';
import { printResult } from './print-result.ts';
import { RESULT } from './result-layout.ts';
import { jobOf, waitForEnd } from './waiting.ts';

interface ResultOptions {
  readonly wait?: true | undefined;
}

export const result = reads<[jobId: string, options: ResultOptions]>(
  // The action is known once the answer has arrived.
  ({ output }) =>
    isJson(output.format) || output.format === 'id'
      ? RESULT
      : { fields: null, columns: [], id: '' },
  async (cli, jobId, { wait }) => {
    const client = await cli.client();
    if (wait) await waitForEnd(cli, jobOf(cli, client, jobId));
    await printResult(cli, await readResult(cli, jobId));
    return undefined;
  },
);

/** A job that did not succeed has a reason instead of a result. */
async function readResult(cli: Cli, jobId: string): Promise<JobResult> {
  const client = await cli.client();
  try {
    return await client.jobs.result(jobId, cli.call);
  } catch (error) {
    // An unfinished job may still succeed.
    const hopeless = error instanceof ApiError && error.code === 'JOB_NOT_SUCCEEDED';
    if (!hopeless || error.retryable) throw error;
    throw jobFailure(await client.jobs.get(jobId, cli.call), cli.texts);
  }
}
