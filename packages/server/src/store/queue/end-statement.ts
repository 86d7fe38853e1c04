import { type EndState, JOB_STATES } from '@changgu/contract';
import { sql } from 'kysely';
import { DAY_MS } from '../../rules/durations.ts';
import type { Outcome } from '../../rules/endings/endings.ts';
import { mayBecome } from '../../rules/jobs/states.ts';
import { ANNOUNCED_COLUMNS, announced } from '../events/job-events.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { columnsOf, isAmong, records, recordType } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import { IN_TROUBLE } from './breakers.ts';
import { NAMED } from './job-predicates.ts';

/** How long after a job's end its `purge_at` is; `purgeJobs` shifts it to the configured retention. */
export const PURGE_AT_MS = 30 * DAY_MS;

/** Ends the job only if this still holds once the lane is locked. */
export interface EndGuard {
  readonly status?: 'QUEUED' | 'RUNNING';
  readonly run?: { readonly owner: string; readonly attempt: number };
}

type GuardKind = 'unguarded' | 'status' | 'run';

export function guardOf(guard: EndGuard): GuardKind {
  if (guard.run !== undefined) return 'run';
  return guard.status === undefined ? 'unguarded' : 'status';
}

/** What an end writes. No name is one of a column, because a statement for many joins both. */
interface EndColumns {
  readonly endState: Outcome['status'];
  readonly failure: string | null;
  readonly sealedResult: Uint8Array | null;
  readonly resultAsFile: number;
}

interface EndValues extends EndColumns {
  readonly jobId: string;
  readonly guardStatus: string;
  readonly guardOwner: string;
  readonly guardAttempt: number;
}

type EndVariant = `${EndState} ${GuardKind}`;

/** The end of one job, if the guard holds: only `end-jobs.ts` runs it, with the lane locked. */
export const writeEnd = compiled((tx, slot: SlotOf<EndValues>, variant: EndVariant) => {
  const [status = '', guard] = variant.split(' ');
  const sources = JOB_STATES.filter((from) => mayBecome(from, status));
  const update = tx.db
    .updateTable('jobs')
    .set(endedRow(tx, slot))
    .where('id', '=', slot('jobId'))
    .where(
      NAMED.status,
      'in',
      sources.map((state) => sql.lit(state)),
    )
    .$if(guard === 'status', (query) =>
      query.where(sql<boolean>`${NAMED.status} = ${slot('guardStatus')}`),
    )
    .$if(guard === 'run', (query) =>
      query
        .where('lease_owner', '=', slot('guardOwner'))
        .where('takeovers', '=', slot('guardAttempt')),
    )
    .returning(ENDED_COLUMNS)
    .returning(IN_TROUBLE.as('in_trouble'));
  return announced(tx, 'job.finished', update);
});

/** The end of a run, as a record of `writeEnds`. */
export interface EndRecord extends EndColumns {
  readonly jobId: string;
  readonly owner: string;
  readonly attempt: number;
}

export const END_FIELDS = {
  jobId: 'text',
  endState: 'text',
  failure: 'text',
  sealedResult: 'bytea',
  resultAsFile: 'integer',
  owner: 'text',
  attempt: 'integer',
} as const satisfies Record<keyof EndRecord, string>;

/** The ends of many runs, of those that still have their job; `ids` are their jobs. PostgreSQL only. */
export const writeEnds = compiled((tx, slot: SlotOf<{ ends: string; ids: readonly string[] }>) => {
  const ends = records<{ n: number }>(slot('ends')).as<'line'>(recordType(END_FIELDS));
  const value = columnsOf<EndRecord>(END_FIELDS);
  const update = tx.db
    .updateTable('jobs')
    .from(ends)
    .set(endedRow(tx, value))
    .where(isAmong('jobs.id', slot('ids'), 'text'))
    .where('jobs.id', '=', value('jobId'))
    .where(NAMED.isRunning)
    .where('lease_owner', '=', value('owner'))
    .where('takeovers', '=', value('attempt'))
    .returning('line.n')
    .returning(ENDED_COLUMNS)
    .returning(IN_TROUBLE.as('in_trouble'));
  return announced(tx, 'job.finished', update);
});

function endedRow(tx: Transaction, value: SlotOf<EndColumns>) {
  // A database clock that was set back must not let the next job of the lane start before this end.
  const began = sql<number>`coalesce(started_at, ready_at, 0)`;
  const finishedAt = sql<number>`case when ${began} > ${tx.clock} then ${began} else ${tx.clock} end`;
  return {
    status: value('endState'),
    error: value('failure'),
    result: value('sealedResult'),
    result_as_file: value('resultAsFile'),
    ready: sql.lit(0),
    lease_owner: sql.lit(null),
    lease_until: sql.lit(null),
    progress: sql.lit(100),
    progress_message: sql.lit(null),
    encrypted_fields: sql.lit(null),
    finished_at: finishedAt,
    purge_at: sql<number>`${finishedAt} + ${sql.lit(PURGE_AT_MS)}`,
  };
}

const ENDED_COLUMNS = [
  ...ANNOUNCED_COLUMNS,
  'seq',
  'provider',
  'operation',
  'idempotency_key',
  'usage_tokens',
  'charged_periods',
  'submit_step_at',
] as const;

export type EndedRow = Awaited<ReturnType<typeof writeEnd>>[number];
