import { type EnvScope, isEndState, type JobState } from '@changgu/contract';
import { type Compilable, type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import { jobErrorOf } from '../../rules/jobs/job-error.ts';
import {
  appendEvent,
  type EventFacts,
  signalEvents,
  type TypedData,
} from '../transactions/append-event.ts';
import type { Transaction } from '../transactions/script.ts';

/** What a statement returns about a changed job. */
export const ANNOUNCED_COLUMNS = [
  'id',
  'organization_id',
  'env_scope',
  'account_link_id',
  'action',
  'status',
  'error',
  'submitted_at',
  'started_at',
  'finished_at',
] as const;

export interface AnnouncedJob {
  readonly id: string;
  readonly organization_id: number;
  readonly env_scope: EnvScope;
  readonly account_link_id: string | null;
  readonly action: string;
  readonly status: JobState;
  readonly error: string | null;
  readonly submitted_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
}

const HAPPENED_AT = {
  'job.queued': 'submitted_at',
  'job.started': 'started_at',
  'job.finished': 'finished_at',
} as const satisfies Record<string, keyof AnnouncedJob>;

type StateEvent = keyof typeof HAPPENED_AT;

/**
 * The statement that changes jobs, together with their events where the database can do both in one, so that they
 * cost a submission no round trip. `appendJobEvents` does the rest. On PostgreSQL only, `beside` is included and
 * `required` is verified, of the rows `changed`.
 */
export function announced<Row extends AnnouncedJob>(
  tx: Transaction,
  type: StateEvent,
  change: Compilable<Row> & OperationNodeSource,
  { beside, required }: { beside?: OperationNodeSource; required?: RawBuilder<boolean> } = {},
): Compilable<Row> {
  if (tx.dialect.name === 'sqlite') return change;
  // Like jsonb_build_object at a fifth of its cost: neither name needs escaping.
  const code = sql`coalesce(',"error_code":"' || (cast(error as json) ->> 'code') || '"', '')`;
  const first = beside ? sql`beside as (${beside}), ` : sql``;
  const where = required ? sql` where ${required}` : sql``;
  const statement = sql<Row>`with ${first}changed as (${change}), told as (
    insert into events (organization_id, env_scope, type, job_id, account_link_id, data, at)
    select organization_id, env_scope, ${sql.lit(type)}, id, account_link_id,
      '{"status":"' || status || '","action":"' || action || '"' || ${code} || '}',
      ${sql.ref(HAPPENED_AT[type])}
    from changed)
    select * from changed${where}`;
  return { compile: () => statement.compile(tx.db) };
}

/** Writes the events of jobs that an announced statement has changed. */
export async function appendJobEvents(
  tx: Transaction,
  type: StateEvent,
  jobs: readonly AnnouncedJob[],
): Promise<void> {
  if (tx.dialect.name === 'postgres') {
    signalEvents(
      tx,
      jobs.map((job) => ({ organizationId: job.organization_id })),
    );
    return;
  }
  await appendEvent(
    tx,
    ...jobs.map((job) => ({
      ...aboutJob(job),
      ...stateData(type, job),
      at: job[HAPPENED_AT[type]] ?? 0,
    })),
  );
}

/** What every event of a job says. */
export function aboutJob(job: AnnouncedJob): EventFacts {
  return {
    organizationId: job.organization_id,
    envScope: job.env_scope,
    jobId: job.id,
    ...(job.account_link_id === null ? {} : { accountLinkId: job.account_link_id }),
  };
}

function stateData(type: StateEvent, { action, status, error }: AnnouncedJob): TypedData {
  if (type === 'job.queued') return { type, data: { status: 'QUEUED', action } };
  if (type === 'job.started') return { type, data: { status: 'RUNNING', action } };
  if (!isEndState(status)) throw new Error(`a job that is ${status} has not finished`);
  const code = jobErrorOf(error)?.code;
  return { type, data: { status, action, ...(code === undefined ? {} : { error_code: code }) } };
}
