import { sql } from 'kysely';
import { CHUNK_BYTES } from '../../crypto/sealed-chunks.ts';
import { DAY_MS } from '../../rules/durations.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { write } from '../transactions/script.ts';
import { PURGE_AT_MS } from './end-statement.ts';

const STALE_SESSION_MS = DAY_MS;
/** Deleted bytes are overwritten while other writers wait, so the limit is on bytes, not rows. */
const MAX_CHUNKS_AT_ONCE = 32;
const MAX_BYTES_AT_ONCE = MAX_CHUNKS_AT_ONCE * CHUNK_BYTES;

/** What is deleted with a job's row: its result and the bytes of its files. */
const BYTES_OF_JOB = sql<number>`coalesce(length(result), 0) + coalesce((
  select sum(size_bytes) from artifacts
  where artifacts.job_id = jobs.id and bytes_removed = 0), 0)`;

const HAS_NO_LINE = sql<boolean>`not exists (select 1 from jobs
  where jobs.organization_id = all_accounts_keys.organization_id
    and jobs.env_scope = all_accounts_keys.env_scope and jobs.operation = 'all_accounts'
    and jobs.idempotency_key = all_accounts_keys.idempotency_key)`;

/** Deletes what is past its retention, in batches. Each is true while there may be more. */
export const purgeScripts = {
  /** Rows of jobs past their retention, with their results, timelines and idempotency records. */
  purgeJobs: write(async (tx, retentionMs: number): Promise<boolean> => {
    // Set at the end of a job for the default retention; another retention shifts all of them.
    const dueBy = (await tx.now()) + PURGE_AT_MS - retentionMs;
    const due = await tx.db
      .selectFrom('jobs')
      .select(['id', BYTES_OF_JOB.as('bytes')])
      .where('purge_at', '<=', dueBy)
      .orderBy('purge_at')
      .limit(BATCH_ROWS)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    const batch = firstOfSize(due, MAX_BYTES_AT_ONCE);
    if (batch.length === 0) return false;
    await tx.db
      .deleteFrom('jobs')
      .where(tx.dialect.isOneOf('id', batch, 'text'))
      .execute();
    return batch.length < due.length || due.length === BATCH_ROWS;
  }),

  /**
   * Keys of all-accounts calls, once none of the call's lines is left. The statement that locks a key may not see
   * the jobs of a call that has just used it again; the one that deletes it does.
   */
  purgeAllAccountsKeys: write(async (tx, retentionMs: number): Promise<boolean> => {
    const keys = await tx.db
      .selectFrom('all_accounts_keys')
      .select(['organization_id', 'env_scope', 'idempotency_key'])
      .where('created_at', '<=', (await tx.now()) - retentionMs)
      .where(HAS_NO_LINE)
      .orderBy('created_at')
      .limit(BATCH_ROWS)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    for (const key of keys) {
      await tx.db
        .deleteFrom('all_accounts_keys')
        .where('organization_id', '=', key.organization_id)
        .where('env_scope', '=', key.env_scope)
        .where('idempotency_key', '=', key.idempotency_key)
        .where(HAS_NO_LINE)
        .execute();
    }
    return keys.length === BATCH_ROWS;
  }),

  /** Bytes of expired artifacts; their metadata stays as long as the job. */
  purgeArtifactBytes: write(async (tx): Promise<boolean> => {
    const due = await tx.db
      .selectFrom('artifacts')
      .select(['id', 'chunk_count'])
      .where((eb) => eb('bytes_removed', '=', eb.lit(0)))
      .where('expires_at', '<=', await tx.now())
      .orderBy('expires_at')
      .limit(BATCH_ROWS)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    const batch = firstOfSize(
      due.map(({ id, chunk_count }) => ({ id, bytes: chunk_count * CHUNK_BYTES })),
      MAX_BYTES_AT_ONCE,
    );
    if (batch.length === 0) return false;
    const deleted = await tx.db
      .deleteFrom('artifact_chunks')
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple('artifact_id', 'number')} in ${selectFrom('artifact_chunks')
            .select(['artifact_id', 'number'])
            .where(tx.dialect.isOneOf('artifact_id', batch, 'text'))
            .limit(MAX_CHUNKS_AT_ONCE)}`,
      )
      .returning('number')
      .execute();
    // A large file is deleted in parts; it is gone with the last one.
    if (deleted.length === MAX_CHUNKS_AT_ONCE) return true;
    await tx.db
      .updateTable('artifacts')
      .set({ bytes_removed: 1 })
      .where(tx.dialect.isOneOf('id', batch, 'text'))
      .execute();
    return batch.length < due.length || due.length === BATCH_ROWS;
  }),

  /** Portal sessions unused for a day; until then "expired" can be distinguished from "none". */
  purgePortalSessions: write(async (tx): Promise<boolean> => {
    const before = (await tx.now()) - STALE_SESSION_MS;
    const due = await tx.db
      .selectFrom('portal_sessions')
      .select(['account_link_id', 'env_scope'])
      .where('last_used_at', '<', before)
      .orderBy('last_used_at')
      .limit(BATCH_ROWS)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    for (const { account_link_id, env_scope } of due) {
      await tx.db
        .deleteFrom('portal_sessions')
        .where('account_link_id', '=', account_link_id)
        .where('env_scope', '=', env_scope)
        .execute();
    }
    return due.length === BATCH_ROWS;
  }),
};

/** As many as fit into this size together, at least one. */
function firstOfSize(
  rows: readonly { readonly id: string; readonly bytes: number }[],
  most: number,
): string[] {
  const batch: string[] = [];
  let total = 0;
  for (const { id, bytes } of rows) {
    total += Number(bytes);
    if (batch.length > 0 && total > most) break;
    batch.push(id);
  }
  return batch;
}
