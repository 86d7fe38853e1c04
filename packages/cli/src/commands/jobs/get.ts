import { reads } from '../../command.ts';
import { EVENT, JOB, TIMELINE } from './shapes.ts';

interface GetOptions {
  readonly timeline?: true | undefined;
}

export const get = reads<[jobId: string, options: GetOptions]>(
  ({ output }, _, { timeline }) => (timeline ? (output.format === 'json' ? TIMELINE : EVENT) : JOB),
  async (cli, jobId, { timeline }) => {
    const client = await cli.client();
    if (!timeline) await cli.output.item(await client.jobs.get(jobId, cli.call), JOB);
    else {
      const steps = await client.jobs.timeline(jobId, cli.call);
      if (cli.output.format === 'json') await cli.output.item(steps, TIMELINE);
      else await cli.output.list(steps.events, EVENT);
    }
    return undefined;
  },
);
