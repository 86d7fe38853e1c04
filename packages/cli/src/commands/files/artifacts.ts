import { reads, writes } from '../../command.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';
import { ARTIFACT_FIELDS } from '../jobs/shapes.ts';

const FILE: Shape = {
  fields: ARTIFACT_FIELDS,
  columns: ['artifact_id', 'name', 'size_bytes', 'expired', 'expires_at'],
  id: 'artifact_id',
};

const DELETED: Shape = {
  fields: fieldsOf<{ jobId: string; deletedCount: number }>()(['job_id', 'deleted_count']),
  columns: ['job_id', 'deleted_count'],
  id: 'job_id',
};

export const list = reads<[jobId: string]>(FILE, async (cli, jobId) => {
  const client = await cli.client('any');
  const { artifacts } = await client.jobs.result(jobId, cli.call);
  await cli.output.list(artifacts, FILE);
  return undefined;
});

/** Deletes all files of a job; repeating it deletes none. */
export const remove = writes<[jobId: string]>(DELETED, async (cli, jobId) => {
  const client = await cli.client('any');
  await cli.confirm(async () => {
    const { action } = await client.jobs.get(jobId, cli.call);
    return cli.texts.accounts.deleteFilesAsk(action, jobId);
  });
  await cli.output.item(await client.jobs.deleteArtifacts(jobId, cli.call), DELETED);
  return undefined;
});
