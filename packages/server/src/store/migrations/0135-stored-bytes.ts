import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

const JOB = (row: string) =>
  `1024 + octet_length(${row}.params) + coalesce(octet_length(${row}.result), 0)`;

/**
 * How many bytes an organization's jobs and files take. The database counts them, so that every write is
 * counted, also those of the previous version. On PostgreSQL each connection adds to a row of its own
 * and waits for no other transaction; the rows are summed up regularly.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`create table stored_bytes (
    organization_id integer not null,
    writer integer not null,
    bytes bigint not null,
    primary key (organization_id, writer)
  )`.execute(db);
  await (dialect.name === 'sqlite' ? countOnSqlite(db) : countOnPostgres(db));
  await sql
    .raw(`insert into stored_bytes (organization_id, writer, bytes)
      select organization_id, 0, sum(bytes) from (
        select organization_id, ${JOB('jobs')} as bytes from jobs
        union all
        select organization_id, size_bytes from artifacts where bytes_removed = 0
      ) as stored group by organization_id`)
    .execute(db);
}

async function countOnSqlite(db: Kysely<unknown>): Promise<void> {
  const triggers = [
    ['after insert on jobs', 'new', JOB('new')],
    [
      'after update of result on jobs',
      'new',
      'coalesce(octet_length(new.result), 0) - coalesce(octet_length(old.result), 0)',
    ],
    ['after delete on jobs', 'old', `-(${JOB('old')})`],
    ['after insert on artifacts', 'new', 'new.size_bytes * (1 - new.bytes_removed)'],
    [
      'after update of bytes_removed on artifacts',
      'new',
      'new.size_bytes * (old.bytes_removed - new.bytes_removed)',
    ],
    ['after delete on artifacts', 'old', 'old.size_bytes * (old.bytes_removed - 1)'],
  ] as const;
  for (const [when, row, bytes] of triggers) {
    const [, event, , table] = when.replace(/ of \w+/, '').split(' ');
    await sql
      .raw(`create trigger stored_bytes_${table}_${event} ${when} begin
        insert into stored_bytes (organization_id, writer, bytes)
          values (${row}.organization_id, 0, ${bytes})
          on conflict (organization_id, writer) do update set bytes = bytes + excluded.bytes;
        end`)
      .execute(db);
  }
}

async function countOnPostgres(db: Kysely<unknown>): Promise<void> {
  const file = (row: string) => `${row}.size_bytes * (1 - ${row}.bytes_removed)`;
  for (const [table, bytes] of [
    ['jobs', JOB('changed')],
    ['artifacts', file('changed')],
  ] as const) {
    for (const [event, rows, sign] of [
      ['insert', 'new', ''],
      ['delete', 'old', '-'],
    ] as const) {
      const name = `stored_bytes_${table}_${event}`;
      await sql
        .raw(`create function ${name}() returns trigger language plpgsql as $$ begin
          insert into stored_bytes (organization_id, writer, bytes)
          select changed.organization_id, pg_backend_pid(), ${sign}sum(${bytes})
          from changed group by changed.organization_id order by changed.organization_id
          on conflict (organization_id, writer)
            do update set bytes = stored_bytes.bytes + excluded.bytes;
          return null;
        end $$`)
        .execute(db);
      await sql
        .raw(`create trigger ${name} after ${event} on ${table}
          referencing ${rows} table as changed for each statement execute function ${name}()`)
        .execute(db);
    }
  }
  await countChange(
    db,
    'jobs',
    'result',
    'coalesce(octet_length(new.result), 0) - coalesce(octet_length(old.result), 0)',
  );
  await countChange(
    db,
    'artifacts',
    'bytes_removed',
    'new.size_bytes * (old.bytes_removed - new.bytes_removed)',
  );
}

async function countChange(
  db: Kysely<unknown>,
  table: string,
  column: string,
  bytes: string,
): Promise<void> {
  const name = `stored_bytes_${table}_update`;
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin
      insert into stored_bytes (organization_id, writer, bytes)
      values (new.organization_id, pg_backend_pid(), ${bytes})
      on conflict (organization_id, writer)
        do update set bytes = stored_bytes.bytes + excluded.bytes;
      return null;
    end $$`)
    .execute(db);
  await sql
    .raw(`create trigger ${name} after update of ${column} on ${table} for each row
      when (${bytes} <> 0) execute function ${name}()`)
    .execute(db);
}
