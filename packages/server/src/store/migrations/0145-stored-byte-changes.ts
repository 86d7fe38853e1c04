import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** Of so many transactions that change what an organization stores, one sums up on average. */
const SUMMED_AFTER = 64;

/**
 * What an organization stores, on PostgreSQL, without rows that are updated again and again: each version of such
 * a row is read again for every job, until vacuum may remove it. A transaction leaves a row with its change, whose
 * `writer` is odd and in the order of transactions. Now and then one of them replaces the rows of all transactions
 * that have ended by their sum, whose `writer` is even. What is stored is the newest sum and the rows after it,
 * and row 0, to which the previous version adds up any of the rows.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name === 'sqlite') return;
  // Whoever is adding to a row of the earlier kind has ended then.
  await sql`lock table jobs, artifacts in share row exclusive mode`.execute(db);
  await sql`alter table stored_bytes alter column writer type bigint`.execute(db);
  await sql`create temporary table stored_so_far on commit drop as
    select organization_id, sum(bytes) as bytes from stored_bytes group by organization_id`.execute(
    db,
  );
  await sql`delete from stored_bytes`.execute(db);
  await sql`insert into stored_bytes (organization_id, writer, bytes)
    select organization_id, 0, bytes from stored_so_far`.execute(db);
  await sumUp(db);
  await addChange(db);
  for (const [table, bytes] of [
    ['jobs', '1024 + octet_length(changed.params) + coalesce(octet_length(changed.result), 0)'],
    ['artifacts', 'changed.size_bytes * (1 - changed.bytes_removed)'],
  ] as const) {
    await replaceStatementTrigger(db, `stored_bytes_${table}_insert`, `sum(${bytes})`);
    await replaceStatementTrigger(db, `stored_bytes_${table}_delete`, `-sum(${bytes})`);
  }
  await replaceRowTrigger(
    db,
    'jobs',
    'coalesce(octet_length(new.result), 0) - coalesce(octet_length(old.result), 0)',
  );
  await replaceRowTrigger(
    db,
    'artifacts',
    'new.size_bytes * (old.bytes_removed - new.bytes_removed)',
  );
}

/** Rows before the horizon belong to transactions that have ended: all of them can be seen, and none is added. */
async function sumUp(db: Kysely<unknown>): Promise<void> {
  await sql`create function sum_stored_bytes(organization integer) returns void language plpgsql as $$
    declare
      horizon bigint := 2 * pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
      latest bigint := coalesce((
        select writer from stored_bytes
        where organization_id = organization and writer > 0 and writer % 2 = 0
        order by writer desc limit 1), 0);
    begin
      with gone as (
        delete from stored_bytes where organization_id = organization
          and (writer = 0 or writer >= latest) and writer < horizon
        returning bytes)
      insert into stored_bytes (organization_id, writer, bytes)
      select organization, horizon, sum(bytes) from gone having count(*) > 0
      on conflict (organization_id, writer)
        do update set bytes = stored_bytes.bytes + excluded.bytes;
    end $$`.execute(db);
}

async function addChange(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create function add_stored_bytes(organization integer, change bigint) returns void
      language plpgsql as $$
      declare
        own bigint := pg_current_xact_id()::text::bigint;
      begin
        insert into stored_bytes (organization_id, writer, bytes)
        values (organization, 2 * own + 1, change)
        on conflict (organization_id, writer)
          do update set bytes = stored_bytes.bytes + excluded.bytes;
        -- Hashed, because the transactions of one kind may all have even numbers. One at a time, without waiting.
        if hashint8(own) % ${SUMMED_AFTER} = 0
          and pg_try_advisory_xact_lock(hashtextextended('stored-bytes:' || organization, 0))
        then
          perform sum_stored_bytes(organization);
        end if;
      end $$`)
    .execute(db);
}

async function replaceStatementTrigger(
  db: Kysely<unknown>,
  name: string,
  bytes: string,
): Promise<void> {
  await sql
    .raw(`create or replace function ${name}() returns trigger language plpgsql as $$ begin
      perform add_stored_bytes(total.organization_id, total.bytes::bigint) from (
        select changed.organization_id, ${bytes} as bytes
        from changed group by changed.organization_id order by changed.organization_id) as total;
      return null;
    end $$`)
    .execute(db);
}

async function replaceRowTrigger(db: Kysely<unknown>, table: string, bytes: string): Promise<void> {
  await sql
    .raw(`create or replace function stored_bytes_${table}_update() returns trigger language plpgsql as $$ begin
      perform add_stored_bytes(new.organization_id, ${bytes});
      return null;
    end $$`)
    .execute(db);
}
