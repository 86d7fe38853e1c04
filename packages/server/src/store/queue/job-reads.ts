import type { EnvScope, JobState } from '@changgu/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import { type JobAccess, mayAccess } from '../../rules/jobs/job-access.ts';
import { COUNTED_AHEAD } from '../../rules/jobs/progress.ts';
import type { Database } from '../schema/tables.ts';
import { compiled, onRows, type SlotOf } from '../transactions/compiled.ts';
import { lookup, read, type Transaction } from '../transactions/script.ts';
import { IS_ADMITTED } from './job-predicates.ts';

/** A job as it is shown to callers. */
export interface JobFacts {
  readonly id: string;
  readonly seq: number;
  readonly status: JobState;
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly action: string;
  readonly submittedAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly retryCount: number;
  readonly progress: number;
  readonly progressMessage: string | null;
  /** Unfinished jobs before it in its lane, counted up to COUNTED_AHEAD. */
  readonly jobsAhead: number;
  /** 1 while an open circuit breaker holds it back. */
  readonly heldBack: number;
  /** JSON of JobError. */
  readonly error: string | null;
  /** When it passed its point of no return. */
  readonly submitStepAt: number | null;
  /** Business time of the read. */
  readonly now: number;
}

/** Null is no condition. */
export interface ListFilter {
  readonly access: JobAccess;
  readonly statuses: readonly JobState[];
  readonly provider: string | null;
  readonly accountLinkId: string | null;
  readonly action: string | null;
  /** Business time in milliseconds, inclusive. */
  readonly submittedFrom: number | null;
  /** Exclusive. */
  readonly submittedBefore: number | null;
  /** Lower-case text that one of the job's ids, keys or errors contains; or the job's action is one of these. */
  readonly text: { readonly part: string; readonly actions: readonly string[] } | null;
  readonly idempotencyKey: string | null;
  /** Jobs accepted before this one; null = starting with the newest. */
  readonly beforeSeq: number | null;
  /** Jobs accepted at or after this one; null = down to the oldest. */
  readonly fromSeq: number | null;
  readonly limit: number;
}

export interface TimelineFacts {
  readonly acceptedAt: number;
  /** Jobs ahead of it in its lane when it was accepted; above COUNTED_AHEAD for many. */
  readonly waitedBehind: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly status: JobState;
  /** JSON of JobError. */
  readonly error: string | null;
  /** What the row itself does not contain. */
  readonly events: readonly {
    readonly at: number;
    readonly kind: string;
    readonly message: string | null;
    readonly durationMs: number | null;
    readonly upstreamStatus: number | null;
  }[];
}

export const jobReadScripts = {
  /** Null when the caller may not see it. */
  find: lookup((tx, input: { readonly access: JobAccess; readonly jobId: string }) =>
    findJob(tx, input.access, input.jobId),
  ),

  /**
   * The version of its product that the job carries; null for a job from before products. Asked only about a job that
   * this very request has shown to its caller, so that it needs no access.
   */
  productVersion: read(
    async (tx, { jobId }: { readonly jobId: string }): Promise<number | null> => {
      const row = await tx.db
        .selectFrom('jobs')
        .select('product_version_id as versionId')
        .where('id', '=', jobId)
        .executeTakeFirst();
      return row?.versionId ?? null;
    },
  ),

  /** Newest first. */
  list: read(async (tx, filter: ListFilter): Promise<JobFacts[]> => {
    const { statuses, provider, accountLinkId, action, submittedFrom, submittedBefore } = filter;
    const { text, idempotencyKey, beforeSeq } = filter;
    let query = selectFacts(tx).where((eb) => visible(eb, filter.access));
    if (statuses.length > 0) query = query.where('status', 'in', statuses);
    if (provider !== null) query = query.where('provider', '=', provider);
    if (accountLinkId !== null) query = query.where('account_link_id', '=', accountLinkId);
    if (action !== null) query = query.where('action', '=', action);
    if (submittedFrom !== null) query = query.where('submitted_at', '>=', submittedFrom);
    if (submittedBefore !== null) query = query.where('submitted_at', '<', submittedBefore);
    if (text !== null) query = query.where((eb) => holds(eb, text));
    if (idempotencyKey !== null) {
      query = query
        // The operation comes before the key in the index.
        .where('operation', 'in', ['submit', 'all_accounts'])
        .where('idempotency_key', '=', idempotencyKey);
    }
    if (beforeSeq !== null) query = query.where('seq', '<', beforeSeq);
    return query
      .where('seq', '>=', filter.fromSeq ?? 0)
      .orderBy('seq', 'desc')
      .limit(filter.limit)
      .execute();
  }),

  /** Jobs of the tax portal that are the same request, accepted in the last `withinMs`, oldest first. */
  equalApplications: read(
    async (
      tx,
      input: {
        readonly access: JobAccess;
        /** With its link. */
        readonly identityHash: string;
        readonly withinMs: number;
      },
    ): Promise<JobFacts[]> =>
      selectFacts(tx)
        .where((eb) => visible(eb, input.access))
        // As the index says it.
        .where(sql<boolean>`provider = 'tax_portal'`)
        .where('identity_hash', '=', input.identityHash)
        .where('submitted_at', '>', sql<number>`${tx.clock} - ${input.withinMs}`)
        .orderBy('submitted_at')
        .orderBy('seq')
        .execute(),
  ),

  /** The last of that many jobs visible to the caller, newest first; null when there are fewer. */
  seqAfter: read(
    async (
      tx,
      { access, beforeSeq, count }: Pick<ListFilter, 'access' | 'beforeSeq'> & { count: number },
    ): Promise<number | null> => {
      let query = tx.db
        .selectFrom('jobs')
        .select('seq')
        .where((eb) => visible(eb, access))
        .orderBy('seq', 'desc')
        .limit(1)
        .offset(count - 1);
      if (beforeSeq !== null) query = query.where('seq', '<', beforeSeq);
      return (await query.executeTakeFirst())?.seq ?? null;
    },
  ),

  /** A job's timeline, oldest first; null when the caller may not see the job. */
  timeline: read(
    async (
      tx,
      input: { readonly access: JobAccess; readonly jobId: string },
    ): Promise<TimelineFacts | null> => {
      const job = await tx.db
        .selectFrom('jobs')
        .select(['submitted_at as acceptedAt', 'started_at as startedAt'])
        .select(['finished_at as finishedAt', 'status', 'error', 'waited_behind as waitedBehind'])
        .where('id', '=', input.jobId)
        .where((eb) => visible(eb, input.access))
        .executeTakeFirst();
      if (job === undefined) return null;
      const events = await tx.db
        .selectFrom('job_events')
        .select(['at', 'kind', 'message'])
        .select(['duration_ms as durationMs', 'upstream_status as upstreamStatus'])
        .where('job_id', '=', input.jobId)
        .orderBy('seq')
        .execute();
      return { ...job, events };
    },
  ),
};

export function findJob(
  tx: Transaction,
  access: JobAccess,
  jobId: string,
): JobFacts | null | Promise<JobFacts | null> {
  const { organizationId, envScope } = access;
  return onRows(selectOne(tx, { organizationId, envScope, jobId }), ([row]) =>
    row !== undefined && mayAccess(row, access) ? row : null,
  );
}

const selectOne = compiled(
  (tx, slot: SlotOf<Pick<JobAccess, 'organizationId' | 'envScope'> & { jobId: string }>) =>
    selectFacts(tx)
      .select('submitted_by as submittedBy')
      .where('id', '=', slot('jobId'))
      .where('organization_id', '=', slot('organizationId'))
      .where('env_scope', '=', slot('envScope')),
);

/** The jobs that the caller may see, as a condition of a statement. `mayAccess` is the same for a row: change both. */
export function visible(eb: ExpressionBuilder<Database, 'jobs'>, access: JobAccess) {
  return eb.and([
    eb('jobs.organization_id', '=', access.organizationId),
    eb('jobs.env_scope', '=', access.envScope),
    ...(access.submittedBy === null ? [] : [eb('jobs.submitted_by', '=', access.submittedBy)]),
    ...(access.actions ? [eb.or(access.actions.map(isOfAction))] : []),
  ]);
}

/** Compared in lower case, which both databases support for ASCII; Korean has no case. */
function holds(
  eb: ExpressionBuilder<Database, 'jobs'>,
  { part, actions }: NonNullable<ListFilter['text']>,
) {
  const pattern = `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const columns = ['id', 'action', 'idempotency_key', 'account_link_id', 'error'] as const;
  return eb.or([
    ...columns.map(
      (column) => sql<boolean>`lower(${sql.ref(`jobs.${column}`)}) like ${pattern} escape '\\'`,
    ),
    ...(actions.length === 0 ? [] : [eb('jobs.action', 'in', actions)]),
  ]);
}

function isOfAction(pattern: string) {
  if (!pattern.endsWith('*')) return sql<boolean>`jobs.action = ${pattern}`;
  const prefix = pattern.slice(0, -1);
  return sql<boolean>`substr(jobs.action, 1, ${sql.lit(prefix.length)}) = ${prefix}`;
}

function selectFacts(tx: Transaction) {
  return tx.db
    .selectFrom('jobs')
    .select(['id', 'seq', 'status', 'env_scope as envScope', 'provider', 'action', 'progress'])
    .select(['submitted_at as submittedAt', 'started_at as startedAt', 'error'])
    .select(['finished_at as finishedAt', 'retry_count as retryCount'])
    .select(['progress_message as progressMessage', 'submit_step_at as submitStepAt'])
    .select([JOBS_AHEAD.as('jobsAhead'), HELD_BACK.as('heldBack')])
    .select(tx.clock.as('now'));
}

/** Ahead of a waiting job are the job that holds its lane and those that have waited longer. */
const JOBS_AHEAD = sql<number>`case when status = 'QUEUED' and ready = 0 then 1 + (
  select count(*) from (
    select 1 from jobs as earlier
    where earlier.lane = jobs.lane and earlier.status = 'QUEUED' and earlier.ready = 0
      and earlier.seq < jobs.seq
    limit ${sql.lit(COUNTED_AHEAD - 1)}) as ahead) else 0 end`;

const HELD_BACK = sql<number>`case when status = 'QUEUED' and not ${IS_ADMITTED} then 1 else 0 end`;
