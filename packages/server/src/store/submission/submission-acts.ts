import type { AuditAct, PrincipalKind } from '@changgu/contract';
import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import { actorNamed } from '../../rules/principals/actor.ts';
import type { Database } from '../schema/tables.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { columnsOf, records, recordType } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import type { AcceptedJob, NewJob } from './job-row.ts';

/** The audit row of one accepted job. */
interface SubmissionAct {
  readonly at: number;
  readonly actorKind: PrincipalKind;
  readonly actorId: string;
  readonly organizationId: number;
  readonly jobId: string;
  readonly details: string;
  readonly traceId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export const ACT_FIELDS = {
  at: 'bigint',
  actorKind: 'text',
  actorId: 'text',
  organizationId: 'integer',
  jobId: 'text',
  details: 'text',
  traceId: 'text',
  address: 'text',
  userAgent: 'text',
} as const satisfies Record<keyof SubmissionAct, string>;

type Submitted = Pick<
  NewJob,
  'submittedBy' | 'origin' | 'action' | 'envScope' | 'jobId' | 'organizationId'
>;

export function submissionAct({
  job,
  accepted,
}: {
  readonly job: Submitted;
  readonly accepted: Pick<AcceptedJob['accepted'], 'now'>;
}): SubmissionAct {
  const {
    kind,
    id,
    traceId,
    address = null,
    userAgent = null,
  } = actorNamed(job.submittedBy, job.origin);
  return {
    at: accepted.now,
    actorKind: kind,
    actorId: id,
    organizationId: job.organizationId,
    jobId: job.jobId,
    details: JSON.stringify({ action: job.action, env_scope: job.envScope }),
    traceId,
    address,
    userAgent,
  };
}

export async function recordSubmission(tx: Transaction, act: SubmissionAct): Promise<void> {
  await insertAct(tx, act);
}

const insertAct = compiled((tx, slot: SlotOf<SubmissionAct>) =>
  tx.db.insertInto('audit').values(actRow(slot)),
);

/** The audit rows of a batch, as part of another statement: PostgreSQL only. */
export function insertActs(db: QueryCreator<Database>, acts: string) {
  const row = actRow(columnsOf<SubmissionAct>(ACT_FIELDS));
  return db
    .insertInto('audit')
    .columns(Object.keys(row) as (keyof typeof row)[])
    .expression(
      sql`select ${sql.join(Object.values(row))}
        from ${records(acts)} as ${recordType(ACT_FIELDS)} order by line.n`,
    );
}

function actRow(value: SlotOf<SubmissionAct>) {
  return {
    at: value('at'),
    actor_kind: value('actorKind'),
    actor_id: value('actorId'),
    organization_id: value('organizationId'),
    act: sql.lit('job.submit' satisfies AuditAct) as RawBuilder<string>,
    target: value('jobId'),
    details: value('details'),
    trace_id: value('traceId'),
    address: value('address'),
    user_agent: value('userAgent'),
  };
}
