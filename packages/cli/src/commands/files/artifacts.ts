import type { Cli } from '../../cli.ts';
import { confirm } from '../../input/prompt.ts';
import type { Shape } from '../../output/output.ts';

const FILE: Shape = {
  columns: ['artifact_id', 'name', 'size_bytes', 'expired', 'expires_at'],
  id: 'artifact_id',
};

export async function list(cli: Cli, jobId: string): Promise<undefined> {
  const client = await cli.client('any');
  const { artifacts } = await client.jobs.result(jobId, cli.call);
  await cli.output.list(artifacts, FILE);
}

/** Deletes all files of a job; repeating it deletes none. */
export async function remove(cli: Cli, jobId: string): Promise<undefined> {
  await confirm(cli, cli.texts.accounts.deleteFilesAsk(jobId));
  const client = await cli.client('any');
  const answer = await client.jobs.deleteArtifacts(jobId, cli.call);
  await cli.output.item(answer, { columns: ['job_id', 'deleted_count'], id: 'job_id' });
}
