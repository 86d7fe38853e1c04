import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

/**
 * What the organization stores, for a statement that selects from `organizations`. On PostgreSQL the newest sum and
 * the changes after it, each in the order of its index: what is older has been replaced by the sum, and may still
 * have to be skipped while another transaction holds a snapshot.
 */
export function storedBytesOf({ dialect }: Pick<Transaction, 'dialect'>): RawBuilder<number> {
  const ofOrganization = sql`stored_bytes.organization_id = organizations.id`;
  const summedUp = sql`select bytes from stored_bytes where ${ofOrganization} and writer = 0`;
  if (dialect.name === 'sqlite') return sql`(coalesce((${summedUp}), 0))`;
  const latest = sql`select writer from stored_bytes where ${ofOrganization}
    and writer > 0 and writer % 2 = 0 order by writer desc limit 1`;
  const changes = sql`select bytes from stored_bytes where ${ofOrganization}
    and writer >= greatest(coalesce((${latest}), 1), 1) order by writer`;
  return sql`(coalesce((${summedUp}), 0)
    + cast(coalesce((select sum(bytes) from (${changes} offset 0) as changes), 0) as bigint))`;
}

export async function readStoredBytes(tx: Transaction, organizationId: number): Promise<number> {
  const row = await tx.db
    .selectFrom('organizations')
    .select(storedBytesOf(tx).as('bytes'))
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/**
 * PostgreSQL: when a dump is restored into another cluster, transaction ids start from another number, and new
 * changes would stand before the newest sum. Then everything becomes the sum before all others.
 */
export async function keepStoredBytes(db: Kysely<Database>): Promise<void> {
  const beyond = sql`select 1 from stored_bytes
    where writer > 2 * pg_snapshot_xmax(pg_current_snapshot())::text::bigint limit 1`;
  const { rows } = await beyond.execute(db);
  if (rows.length === 0) return;
  await sql`with gone as (delete from stored_bytes returning organization_id, bytes)
    insert into stored_bytes (organization_id, writer, bytes)
    select organization_id, 0, sum(bytes) from gone group by organization_id`.execute(db);
}
