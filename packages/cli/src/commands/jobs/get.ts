import type { Cli } from '../../cli.ts';
import { JOB } from './shapes.ts';

export async function get(
  cli: Cli,
  jobId: string,
  { timeline }: { readonly timeline?: true | undefined },
): Promise<undefined> {
  const client = await cli.client();
  if (timeline) await cli.output.document(await client.jobs.timeline(jobId, cli.call));
  else await cli.output.item(await client.jobs.get(jobId, cli.call), JOB);
}
