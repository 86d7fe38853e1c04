import type { JobState } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SubmissionRows } from '../../rules/submission/decide-submission.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { columnsOf, records, recordType, toRecords } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import type { NewJob } from './job-row.ts';

/** The key of a submission, as expressions. */
interface KeyColumns {
  readonly organizationId: unknown;
  readonly envScope: unknown;
  readonly operation: unknown;
  readonly idempotencyKey: unknown;
  readonly idempotencyAccount: unknown;
}

/**
 * The `seq` of the job that a key created, for joining `jobs`. A range and an order, so that only the index of
 * keys can be used: before a table has statistics, PostgreSQL rates the organization's job list equally and
 * reads all of it for each submission.
 */
export function jobOfKey(key: KeyColumns): RawBuilder<number> {
  return sql<number>`(select keyed.seq from jobs as keyed
    where keyed.organization_id = ${key.organizationId} and keyed.env_scope = ${key.envScope}
      and keyed.operation = ${key.operation} and keyed.idempotency_key = ${key.idempotencyKey}
      and keyed.idempotency_account >= ${key.idempotencyAccount}
      and keyed.idempotency_account <= ${key.idempotencyAccount}
    order by keyed.idempotency_account limit 1)`;
}

/** The fields of a key, as those of a line of `selectKeyedOfMany`. */
const KEY = {
  organizationId: 'integer',
  envScope: 'text',
  operation: 'text',
  idempotencyKey: 'text',
  idempotencyAccount: 'text',
} as const satisfies Partial<Record<keyof NewJob, string>>;

export type KeyQuery = Pick<NewJob, keyof typeof KEY>;

export function seqOfKey(slot: SlotOf<KeyQuery>): RawBuilder<number> {
  return jobOfKey({
    organizationId: slot('organizationId'),
    envScope: slot('envScope'),
    operation: slot('operation'),
    idempotencyKey: slot('idempotencyKey'),
    idempotencyAccount: slot('idempotencyAccount'),
  });
}

/** What a submission needs to know of the job that its key created. */
export const JOB_COLUMNS = [
  'jobs.id as job_id',
  'jobs.status as job_status',
  'jobs.submitted_at',
  'jobs.identity_hash',
  'jobs.identity_hash_without_link',
  'jobs.link_was_omitted',
  'jobs.account_link_id as job_link_id',
] as const;

/** Null throughout where there is no such job. */
export interface KeyedRow {
  readonly job_id: string | null;
  readonly job_status: JobState | null;
  readonly submitted_at: number | null;
  readonly identity_hash: string | null;
  readonly identity_hash_without_link: string | null;
  readonly link_was_omitted: number | null;
  readonly job_link_id: string | null;
}

export const NO_JOB: KeyedRow = {
  job_id: null,
  job_status: null,
  submitted_at: null,
  identity_hash: null,
  identity_hash_without_link: null,
  link_was_omitted: null,
  job_link_id: null,
};

export async function readJobOfKey(tx: Transaction, key: KeyQuery): Promise<KeyedRow> {
  const [job = NO_JOB] = await selectKeyed(tx, key);
  return job;
}

/** Those that exist, by the position of their key. PostgreSQL only. */
export async function jobsOfKeys(
  tx: Transaction,
  keys: readonly KeyQuery[],
): Promise<ReadonlyMap<number, KeyedRow>> {
  const rows = await selectKeyedOfMany(tx, { lines: toRecords(KEY, keys.entries()) });
  return new Map(rows.map((row) => [row.n, row]));
}

const selectKeyed = compiled((tx, slot: SlotOf<KeyQuery>) => keyedOf(tx, slot));

/** `offset 0`: each line looks its job up by index, however few there were at planning time. */
const selectKeyedOfMany = compiled((tx, slot: SlotOf<{ lines: string }>) =>
  tx.db
    .selectFrom(records<{ n: number }>(slot('lines')).as<'line'>(recordType(KEY)))
    .innerJoinLateral(
      keyedOf(tx, columnsOf<KeyQuery>(KEY)).offset(sql.lit(0)).as('found'),
      (join) => join.onTrue(),
    )
    .select('line.n')
    .selectAll('found'),
);

function keyedOf(tx: Transaction, slot: SlotOf<KeyQuery>) {
  return tx.db.selectFrom('jobs').where('jobs.seq', '=', seqOfKey(slot)).select(JOB_COLUMNS);
}

export function existingOf(row: KeyedRow): SubmissionRows['existing'] {
  if (row.job_id === null || row.job_status === null) return null;
  return {
    id: row.job_id,
    status: row.job_status,
    submittedAt: row.submitted_at ?? 0,
    identityHash: row.identity_hash ?? '',
    identityHashWithoutLink: row.identity_hash_without_link ?? '',
    linkWasOmitted: row.link_was_omitted === 1,
  };
}
