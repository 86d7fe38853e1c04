import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema/tables.ts';
import type { Dialect } from '../transactions/script.ts';

/**
 * Copies one queued job many times, faster than submitting could: `perLane` jobs in each of `lanes`
 * lanes, the first of each at its head. The copies have lanes but no links.
 */
export async function copyJob(
  db: Kysely<Database>,
  dialect: Dialect['name'],
  copy: {
    readonly id: string;
    readonly lanes: number;
    readonly perLane: number;
    readonly tag: string;
  },
): Promise<void> {
  const { columns, values } = await copiedColumns(db, copy.id);
  const numbers = (name: string, count: number) =>
    dialect === 'postgres'
      ? sql.raw(`generate_series(1, ${count}) as ${name}(n)`)
      : sql.raw(
          `(with recursive r(n) as (select 1 union all select n + 1 from r where n < ${count}) select n from r) as ${name}`,
        );
  const own = sql.raw(`'${copy.tag}-' || lane_no.n || '-' || job_no.n`);
  const head = sql`case when job_no.n = 1 then`;
  await sql`
    insert into jobs (${columns}, id, idempotency_key, lane, ready, ready_at)
    select ${values}, ${own}, ${own}, ${sql.raw(`'${copy.tag}-' || lane_no.n`)},
      ${head} 1 else 0 end, ${head} jobs.submitted_at end
    from jobs, ${numbers('lane_no', copy.lanes)}, ${numbers('job_no', copy.perLane)}
    where jobs.id = ${copy.id}
    order by job_no.n, lane_no.n`.execute(db);
  await sql`analyze jobs`.execute(db);
}

/** Copies one job that has ended many times, as years of use would leave them. PostgreSQL only. */
export async function copyEndedJob(
  db: Kysely<Database>,
  copy: { readonly id: string; readonly count: number },
): Promise<void> {
  await copyEndedJobUncounted(db, copy);
  await sql`vacuum analyze jobs`.execute(db);
}

/** The same, and PostgreSQL does not know of them yet. */
export async function copyEndedJobUncounted(
  db: Kysely<Database>,
  copy: { readonly id: string; readonly count: number },
): Promise<void> {
  const { columns, values } = await copiedColumns(db, copy.id);
  const own = sql.raw(`'old-' || copies.n`);
  await sql`
    insert into jobs (${columns}, id, idempotency_key, lane, ready, ready_at)
    select ${values}, ${own}, ${own}, lane, 0, ready_at
    from jobs, generate_series(1, ${copy.count}) as copies(n)
    where jobs.id = ${copy.id}`.execute(db);
}

const OWN = new Set(['seq', 'id', 'idempotency_key', 'lane', 'ready', 'ready_at', 'turn']);

async function copiedColumns(db: Kysely<Database>, id: string) {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const names = Object.keys(row).filter((name) => !OWN.has(name));
  return {
    columns: sql.join(names.map((name) => sql.ref(name))),
    values: sql.join(names.map((name) => sql.ref(`jobs.${name}`))),
  };
}
