import { sql } from 'kysely';
import { poolOf } from '../../rules/claiming/pool.ts';
import { type AnnouncedJob, announced, appendJobEvents } from '../events/job-events.ts';
import { laneOf, lockLane, lockLanes } from '../queue/lanes/lane-lock.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { orFail } from '../transactions/or-fail.ts';
import { columnsOf, records, recordType, toRecords } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import {
  type AcceptedAs,
  type AcceptedJob,
  KEY_COLUMNS,
  type NewJob,
  newRow,
  RETURNED,
  type RowValues,
  sharedValues,
  toRow,
} from './job-row.ts';
import { ACT_FIELDS, insertActs, recordSubmission, submissionAct } from './submission-acts.ts';

/**
 * Queues a job at the end of its lane, or as its head when the lane is free. Takes the lane's lock.
 * @returns false when the key exists by now, or the link or bank account is gone; the caller rolls back
 */
export async function insertJob(
  tx: Transaction,
  job: NewJob,
  accepted: AcceptedAs,
): Promise<boolean> {
  const { accountLinkId, bankAccountCredentialId } = accepted;
  const row = toRow({ job, accepted });
  if (row.lane !== null) await lockLane(tx, row.lane);
  const inserted = await insertRow(tx, row);
  await recordSubmission(tx, submissionAct({ job, accepted }));
  return queued(tx, inserted, [{ accountLinkId, accountId: bankAccountCredentialId }]);
}

/**
 * `insertJob` for many submissions, in this order. Takes the locks of all their lanes. PostgreSQL only, which refuses
 * the statement when one of them cannot be queued as decided.
 */
export async function insertJobs(tx: Transaction, jobs: readonly AcceptedJob[]): Promise<void> {
  const rows = placed(jobs.map(toRow));
  const [, inserted] = await Promise.all([
    lockLanes(tx, new Set(rows.flatMap(({ lane }) => lane ?? []))),
    insertBatch(tx, {
      lines: toRecords(BATCH_FIELDS, rows.entries()),
      acts: toRecords(ACT_FIELDS, jobs.map(submissionAct).entries()),
      wanted: rows.reduce((sum, row) => sum + 1 + idsOf(row).length, 0),
    }),
  ]);
  await announceQueued(tx, inserted);
}

/** What a row keeps only as long as it is there. */
function idsOf({ accountLinkId, bankAccountCredentialId }: RowValues): string[] {
  return [accountLinkId, bankAccountCredentialId].filter((id) => id !== null);
}

/** Each with the number of them that join its lane ahead of it. */
function placed<Row extends { readonly lane: string | null }>(rows: readonly Row[]) {
  const lengths = new Map<string, number>();
  return rows.map((row) => {
    if (row.lane === null) return { ...row, before: 0 };
    const before = lengths.get(row.lane) ?? 0;
    lengths.set(row.lane, before + 1);
    return { ...row, before };
  });
}

/** What the lines of an all-accounts call have in common. */
export type NewLineJob = Omit<
  NewJob,
  'jobId' | 'idempotencyAccount' | 'params' | 'identityWithoutLink' | 'accountLinkId'
>;

/** An accepted line. */
export interface NewLine {
  readonly jobId: string;
  readonly accountLinkId: string;
  readonly accountId: string;
  /** JSON: the params of the call and the account. */
  readonly params: string;
  readonly identityHash: string;
  readonly identityWithoutLink: string;
}

/**
 * `insertJob` for many accounts at once, in this order. The caller holds the locks of their lanes.
 * @returns false when one of the keys exists by now, or a link or bank account is gone; the caller rolls back
 */
export async function insertLines(
  tx: Transaction,
  job: NewLineJob,
  accepted: Pick<AcceptedAs, 'now' | 'chargedPeriods'>,
  lines: readonly NewLine[],
): Promise<boolean> {
  const rows = placed(
    lines.map((line) => ({ ...line, lane: laneOf(line.accountLinkId, job.laneScope) })),
  );
  const values = { ...sharedValues(job, accepted), linkWasOmitted: 0 };
  const inserted = await insertRows(tx, { ...values, lines: JSON.stringify(rows) });
  return queued(
    tx,
    inserted.toSorted((a, b) => a.seq - b.seq),
    lines,
  );
}

interface QueuedRow extends AnnouncedJob {
  readonly seq: number;
  readonly ready: number;
  readonly bank_account_credential_id: string | null;
}

/** Whether all of them were queued as decided; if so, all processes are notified. */
async function queued(
  tx: Transaction,
  rows: readonly QueuedRow[],
  wanted: readonly {
    readonly accountLinkId: string | null;
    readonly accountId: string | null;
  }[],
): Promise<boolean> {
  const complete = wanted.every(({ accountLinkId, accountId }, index) => {
    const row = rows[index];
    return row?.account_link_id === accountLinkId && row.bank_account_credential_id === accountId;
  });
  if (complete) await announceQueued(tx, rows);
  return complete;
}

async function announceQueued(tx: Transaction, rows: readonly QueuedRow[]): Promise<void> {
  await appendJobEvents(tx, 'job.queued', rows);
  const heads = rows.filter(({ ready }) => ready === 1);
  for (const [pool, ready] of Map.groupBy(heads, (head) => poolOf(head.env_scope))) {
    tx.signal({ kind: 'ready', pool, seq: Math.min(...ready.map(({ seq }) => seq)) });
  }
}

const insertRow = compiled((tx, slot: SlotOf<RowValues>) =>
  announced(
    tx,
    'job.queued',
    tx.db
      .insertInto('jobs')
      .values(newRow(tx, slot, sql.lit(0)))
      .onConflict((conflict) => conflict.columns(KEY_COLUMNS).doNothing())
      .returning(RETURNED),
  ),
);

/** Positions, within a line, of the columns that differ between lines. */
const LINE_FIELDS = {
  jobId: 'jobId',
  accountLinkId: 'accountLinkId',
  lane: 'lane',
  idempotencyAccount: 'accountId',
  bankAccountCredentialId: 'accountId',
  params: 'params',
  identityHash: 'identityHash',
  identityWithoutLink: 'identityWithoutLink',
} as const satisfies Partial<Record<keyof RowValues, keyof NewLine | 'lane'>>;

type SharedValues = Omit<RowValues, keyof typeof LINE_FIELDS>;

const insertRows = compiled((tx, slot: SlotOf<SharedValues & { lines: string }>) => {
  const fields: Readonly<Record<string, string>> = LINE_FIELDS;
  // Like a slot, an expression stands where the statement's types promise a value.
  const value = ((name: keyof SharedValues) =>
    Object.hasOwn(fields, name)
      ? sql`(line.value ->> ${sql.lit(fields[name])})`
      : slot(name)) as SlotOf<RowValues>;
  const row = newRow(tx, value, sql`cast(line.value ->> 'before' as bigint)`);
  const insert = tx.db
    .insertInto('jobs')
    .columns(Object.keys(row) as (keyof typeof row)[])
    .expression(
      sql`select ${sql.join(Object.values(row))}
        from ${tx.dialect.each(slot('lines'))} order by line.n`,
    )
    .onConflict((conflict) => conflict.columns(KEY_COLUMNS).doNothing())
    .returning(RETURNED);
  return announced(tx, 'job.queued', insert);
});

const BATCH_FIELDS = {
  jobId: 'text',
  organizationId: 'integer',
  envScope: 'text',
  operation: 'text',
  idempotencyKey: 'text',
  idempotencyAccount: 'text',
  submittedBy: 'text',
  provider: 'text',
  action: 'text',
  resultSchema: 'text',
  productVersionId: 'bigint',
  accountLinkId: 'text',
  bankAccountCredentialId: 'text',
  lane: 'text',
  params: 'text',
  encryptedFields: 'bytea',
  duplicateFields: 'text',
  identityHash: 'text',
  identityWithoutLink: 'text',
  linkWasOmitted: 'integer',
  sandboxOutcome: 'text',
  traceContext: 'text',
  submittedFrom: 'text',
  timeoutSeconds: 'integer',
  queueDeadlineAt: 'bigint',
  usageTokens: 'integer',
  chargedPeriods: 'text',
  now: 'bigint',
  before: 'bigint',
} as const satisfies Record<keyof RowValues | 'before', string>;

interface BatchValues {
  readonly lines: string;
  readonly acts: string;
  /** The number of rows and of the links and bank accounts that they name. */
  readonly wanted: number;
}

const insertBatch = compiled((tx, slot: SlotOf<BatchValues>) => {
  const row = newRow(tx, columnsOf<RowValues>(BATCH_FIELDS), sql`line.before`);
  const insert = tx.db
    .insertInto('jobs')
    .columns(Object.keys(row) as (keyof typeof row)[])
    .expression(
      sql`select ${sql.join(Object.values(row))}
        from ${records(slot('lines'))} as ${recordType(BATCH_FIELDS)} order by line.n`,
    )
    .onConflict((conflict) => conflict.columns(KEY_COLUMNS).doNothing())
    .returning(RETURNED);
  return announced(tx, 'job.queued', insert, {
    beside: insertActs(tx.db, slot('acts')),
    required: orFail(
      sql`(select count(*) + count(account_link_id) + count(bank_account_credential_id) from changed)
        = ${slot('wanted')}`,
      'a submission lost its key, its link or its bank account meanwhile',
    ),
  });
});
