import type { Cli } from '../../cli.ts';
import { JOB } from './shapes.ts';

export async function cancel(cli: Cli, jobId: string): Promise<undefined> {
  const client = await cli.client();
  const job = await client.jobs.cancel(jobId, cli.call);
  const { jobs } = cli.texts;
  await cli.notes.info(job.status === 'CANCELED' ? jobs.canceled(jobId) : jobs.cancelAsked(jobId));
  await cli.output.item(job, JOB);
}
