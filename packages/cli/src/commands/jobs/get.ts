import type { Cli } from '../../cli.ts';
import type { Shape } from '../../output/output.ts';
import { JOB } from './shapes.ts';

const TIMELINE: Shape = { columns: ['job_id', 'events'], id: 'job_id' };
const EVENT: Shape = { columns: ['at', 'kind', 'duration_ms', 'message'], id: 'at' };

export async function get(
  cli: Cli,
  jobId: string,
  { timeline }: { readonly timeline?: true | undefined },
): Promise<undefined> {
  const client = await cli.client();
  if (!timeline) {
    await cli.output.item(await client.jobs.get(jobId, cli.call), JOB);
    return;
  }
  const steps = await client.jobs.timeline(jobId, cli.call);
  if (cli.output.format === 'json') await cli.output.item(steps, TIMELINE);
  else await cli.output.list(steps.events, EVENT);
}
