import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** Of a row's old or new version. */
const holdsLane = (row: 'old' | 'new') =>
  `${row}.lane is not null and (${row}.ready = 1 or ${row}.status = 'RUNNING')`;

/**
 * One holder per lane, guaranteed on PostgreSQL at a cost that does not depend on the lane's past. A unique
 * index on the lane compares a new head with every earlier one that vacuum could not remove. Instead, each job
 * that becomes the head gets the next turn of its lane. Turns are unique, and a turn begins only when the job of
 * the one before no longer holds the lane. The previous version knows no turns: the trigger counts for it, and its
 * statements find the holder by an index that compares nothing.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`alter table jobs add column turn bigint`.execute(db);
  if (dialect.name === 'sqlite') return;
  await sql`update jobs set turn = 1
    where lane is not null and (ready = 1 or status = 'RUNNING')`.execute(db);
  await sql`create unique index jobs_turn on jobs (lane, turn) where turn is not null`.execute(db);
  await sql`create index jobs_holder on jobs (lane) where ready = 1 or status = 'RUNNING'`.execute(
    db,
  );
  await sql`drop index jobs_lane_slot`.execute(db);
  await sql`create function jobs_take_turn() returns trigger language plpgsql as $$
    declare
      latest record;
    begin
      select other.turn, other.ready = 1 or other.status = 'RUNNING' as holds into latest
      from jobs as other
      where other.lane = new.lane and other.turn is not null and other.seq <> new.seq
      order by other.turn desc limit 1;
      if latest.holds then
        raise unique_violation using
          message = 'the lane has a head or a running job', constraint = 'jobs_turn';
      end if;
      if new.turn is null or new.turn <= latest.turn then
        update jobs set turn = coalesce(latest.turn, 0) + 1 where seq = new.seq;
      end if;
      return null;
    end $$`.execute(db);
  await sql
    .raw(`create trigger jobs_turn_insert after insert on jobs
      for each row when (${holdsLane('new')}) execute function jobs_take_turn()`)
    .execute(db);
  await sql
    .raw(`create trigger jobs_turn_update after update of lane, status, ready, turn on jobs
      for each row when (${holdsLane('new')}
        and ((${holdsLane('old')}) is not true or new.lane <> old.lane or new.turn is distinct from old.turn))
      execute function jobs_take_turn()`)
    .execute(db);
}
