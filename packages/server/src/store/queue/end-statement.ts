import { type EndState, JOB_STATES } from '@changgu/contract';
import { sql } from 'kysely';
import type { Outcome } from '../../rules/endings/endings.ts';
import { mayBecome } from '../../rules/jobs/states.ts';
import { ANNOUNCED_COLUMNS, announced } from '../events/job-events.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { IN_TROUBLE } from './breakers.ts';
import { NAMED } from './job-predicates.ts';

/** How long a job's row, result and idempotency record live after its end, unless configured. */
export const JOB_RETENTION_MS = 30 * 86_400_000;

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

interface EndValues {
  readonly id: string;
  readonly status: Outcome['status'];
  readonly error: string | null;
  readonly result: Uint8Array | null;
  readonly resultAsFile: number;
  readonly guardStatus: string;
  readonly guardOwner: string;
  readonly guardAttempt: number;
}

type EndVariant = `${EndState} ${GuardKind}`;

/** The end of one job, if the guard holds: only `lanes.ts` runs it, with the lane locked. */
export const writeEnd = compiled((tx, slot: SlotOf<EndValues>, variant: EndVariant) => {
  const [status = '', guard] = variant.split(' ');
  const sources = JOB_STATES.filter((from) => mayBecome(from, status));
  // A database clock that was set back must not let the next job of the lane start before this end.
  const began = sql<number>`coalesce(started_at, ready_at, 0)`;
  const finishedAt = sql<number>`case when ${began} > ${tx.clock} then ${began} else ${tx.clock} end`;
  const update = tx.db
    .updateTable('jobs')
    .set({
      status: slot('status'),
      error: slot('error'),
      result: slot('result'),
      result_as_file: slot('resultAsFile'),
      ready: sql.lit(0),
      lease_owner: null,
      lease_until: null,
      progress: sql.lit(100),
      progress_message: null,
      encrypted_fields: null,
      finished_at: finishedAt,
      purge_at: sql<number>`${finishedAt} + ${sql.lit(JOB_RETENTION_MS)}`,
    })
    .where('id', '=', slot('id'))
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
    .returning([
      ...ANNOUNCED_COLUMNS,
      'seq',
      'provider',
      'operation',
      'idempotency_key',
      'usage_tokens',
      'charged_periods',
      'submit_step_at',
    ])
    .returning(IN_TROUBLE.as('in_trouble'));
  return announced(tx, 'job.finished', update);
});

export type EndedRow = Awaited<ReturnType<typeof writeEnd>>[number];
