import type { JobState } from '@changgu/contract';
import type { JobAccess } from '../../rules/jobs/job-access.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';
import { visible } from './job-reads.ts';

export interface ArtifactFacts {
  readonly id: string;
  readonly jobId: string;
  readonly organizationId: number;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly expiresAt: number;
}

export interface ResultFacts {
  readonly status: JobState;
  readonly resultSchema: string;
  /** Sealed JSON of result.data. */
  readonly result: Uint8Array | null;
  readonly resultAsFile: boolean;
  readonly passedPoint: boolean;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly artifacts: readonly ArtifactFacts[];
  readonly now: number;
}

const ARTIFACT_COLUMNS = [
  'artifacts.id',
  'artifacts.job_id as jobId',
  'artifacts.organization_id as organizationId',
  'artifacts.name',
  'artifacts.content_type as contentType',
  'artifacts.size_bytes as sizeBytes',
  'artifacts.sha256',
  'artifacts.expires_at as expiresAt',
] as const;

/** Results and files of jobs, as readers need them; writing them is part of ending a job. */
export const resultScripts = {
  /** Null when the caller may not see the job. */
  find: read(
    async (
      tx,
      input: { readonly access: JobAccess; readonly jobId: string },
    ): Promise<ResultFacts | null> => {
      const job = await tx.db
        .selectFrom('jobs')
        .select(['status', 'result_schema', 'result', 'result_as_file', 'submit_step_at'])
        .select(['started_at', 'finished_at', tx.clock.as('now')])
        .where('id', '=', input.jobId)
        .where((eb) => visible(eb, input.access))
        .executeTakeFirst();
      if (job === undefined) return null;
      const artifacts =
        job.status === 'SUCCEEDED'
          ? await tx.db
              .selectFrom('artifacts')
              .select(ARTIFACT_COLUMNS)
              .where('job_id', '=', input.jobId)
              .orderBy('id')
              .execute()
          : [];
      return {
        status: job.status,
        resultSchema: job.result_schema,
        result: job.result,
        resultAsFile: job.result_as_file === 1,
        passedPoint: job.submit_step_at !== null,
        startedAt: job.started_at,
        finishedAt: job.finished_at,
        artifacts,
        now: job.now,
      };
    },
  ),

  /** One file by its id alone, because the signature of its URL was checked. Null when deleted. */
  findArtifact: read(
    async (
      tx,
      input: { readonly artifactId: string },
    ): Promise<(ArtifactFacts & { readonly now: number }) | null> => {
      const row = await tx.db
        .selectFrom('artifacts')
        .select(ARTIFACT_COLUMNS)
        .select(tx.clock.as('now'))
        .where('id', '=', input.artifactId)
        .executeTakeFirst();
      return row ?? null;
    },
  ),

  /** One sealed chunk; null when the file was deleted or expired in the meantime. */
  readChunk: read(
    async (
      tx,
      input: { readonly artifactId: string; readonly number: number },
    ): Promise<Uint8Array | null> => {
      const row = await tx.db
        .selectFrom('artifact_chunks')
        .select('bytes')
        .where('artifact_id', '=', input.artifactId)
        .where('number', '=', input.number)
        .executeTakeFirst();
      return row?.bytes ?? null;
    },
  ),

  /** Deletes a job's files with their metadata; null when the caller may not see the job. */
  deleteArtifacts: write(
    async (
      tx,
      input: { readonly access: JobAccess; readonly jobId: string; readonly actor: Actor },
    ): Promise<number | null> => {
      const job = await tx.db
        .selectFrom('jobs')
        .select('id')
        .where('id', '=', input.jobId)
        .where((eb) => visible(eb, input.access))
        .executeTakeFirst();
      if (job === undefined) return null;
      const deleted = await tx.db
        .deleteFrom('artifacts')
        .where('job_id', '=', job.id)
        .returning('id')
        .execute();
      if (deleted.length > 0) {
        await recordAct(tx, input.actor, {
          organizationId: input.access.organizationId,
          act: 'artifact.delete',
          target: job.id,
          details: { files: deleted.length },
        });
      }
      return deleted.length;
    },
  ),
};
