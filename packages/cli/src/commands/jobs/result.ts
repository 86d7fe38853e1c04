import type { Cli } from '../../cli.ts';
import { printResult } from './print-result.ts';
import { waitForEnd } from './waiting.ts';

export async function result(
  cli: Cli,
  jobId: string,
  { wait }: { readonly wait?: true | undefined },
): Promise<undefined> {
  const client = await cli.client();
  if (!wait) {
    await printResult(cli, await client.jobs.result(jobId, cli.call));
    return;
  }
  const job = client.jobs.resume(jobId);
  await waitForEnd(cli, job);
  await printResult(cli, await job.result(cli.call));
}
