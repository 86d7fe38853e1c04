import { writes } from '../../command.ts';
import { JOB } from './shapes.ts';

export const cancel = writes<[jobId: string]>(JOB, async (cli, jobId) => {
  const client = await cli.client();
  const job = await client.jobs.cancel(jobId, cli.call);
  const { jobs } = cli.texts;
  await cli.notes.info(job.status === 'CANCELED' ? jobs.canceled(jobId) : jobs.cancelAsked(jobId));
  await cli.output.item(job, JOB);
  return undefined;
});
