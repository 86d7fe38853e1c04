import { type RawBuilder, sql } from 'kysely';
import { type Transaction, write } from '../transactions/script.ts';

/** Rows summed up per transaction. */
const SUMMED_AT_ONCE = 500;

/** What the organization stores, for a statement that selects from `organizations`. */
export const STORED_BYTES: RawBuilder<number> = sql`(
  select cast(coalesce(sum(bytes), 0) as bigint) from stored_bytes
  where stored_bytes.organization_id = organizations.id)`;

export async function readStoredBytes(tx: Transaction, organizationId: number): Promise<number> {
  const row = await tx.db
    .selectFrom('organizations')
    .select(STORED_BYTES.as('bytes'))
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return row.bytes;
}

export const storedByteScripts = {
  /** Sums up the rows of PostgreSQL's connections. Returns whether there may be more. */
  sumStoredBytes: write(async (tx): Promise<boolean> => {
    if (tx.dialect.name === 'sqlite') return false;
    const { numAffectedRows } = await sql`
      with summed as (
        delete from stored_bytes where (organization_id, writer) in (
          select organization_id, writer from stored_bytes where writer <> 0
          order by organization_id limit ${sql.lit(SUMMED_AT_ONCE)} for update skip locked)
        returning organization_id, bytes)
      insert into stored_bytes (organization_id, writer, bytes)
      select organization_id, 0, sum(bytes) from summed
      group by organization_id order by organization_id
      on conflict (organization_id, writer)
        do update set bytes = stored_bytes.bytes + excluded.bytes`.execute(tx.db);
    return Number(numAffectedRows ?? 0) === SUMMED_AT_ONCE;
  }),
};
