import { type Kysely, sql } from 'kysely';

/** Which limits the audit log already tells of, so that it has one row per address and hour and no flood. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table noted_limits (
    hour bigint not null,
    act text not null,
    address text not null,
    target text not null,
    primary key (hour, act, address, target)
  )`.execute(db);
}
