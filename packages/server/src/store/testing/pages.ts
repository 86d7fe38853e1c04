import { CompiledQuery, type Kysely, sql } from 'kysely';
import pg from 'pg';
import { POSTGRES } from '../backends/postgres-dialect.ts';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

/** Scripts on one connection of PostgreSQL, and the pages that they touch there. */
export interface CountedScripts {
  /** Sets business time, in milliseconds. */
  setTime(now: number): Promise<void>;
  /** Runs the script in a transaction of its own; in the order of indexes unless `settings` says otherwise. */
  run<Output>(
    script: (tx: Transaction) => Promise<Output>,
    settings?: { readonly inIndexOrder?: true },
  ): Promise<Output>;
  /** The pages that everything before has touched, found in memory or not. */
  pages(): Promise<number>;
}

const CLOCK = sql<number>`(current_setting('test.now')::bigint)`;

/** What a connection did is visible once it has reported it. */
const REPORT = 'select pg_stat_force_next_flush()';
const TOUCHED = `select sum(coalesce(hits, 0) + coalesce(reads, 0)) as pages
  from pg_stat_get_backend_io(pg_backend_pid())`;

/** The pages that a connection touches during the work. */
export async function pagesOf(
  client: pg.ClientBase,
  work: () => Promise<unknown>,
): Promise<number> {
  const touched = async () => {
    await client.query(REPORT);
    const { rows } = await client.query<{ pages: string }>(TOUCHED);
    return Number(rows[0]?.pages);
  };
  const before = await touched();
  await work();
  return (await touched()) - before;
}

/** Of a database behind the store's back, which has a single connection. */
export function countPages(db: Kysely<Database>): CountedScripts {
  let time = 0;
  const tx: Transaction = {
    db,
    run: async <Row>(text: string, parameters: readonly unknown[]) =>
      (await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows,
    dialect: POSTGRES,
    clock: CLOCK,
    now: async () => time,
    realNow: async () => Date.now(),
    signal: () => {},
    conclude: () => {},
  };
  return {
    async setTime(now) {
      time = now;
      await sql.raw(`set test.now = ${now}`).execute(db);
    },
    async run(script, { inIndexOrder } = { inIndexOrder: true }) {
      // As in a table of any size: one of a few pages would be read whole.
      await sql`begin; set local enable_seqscan = off`.execute(db);
      if (inIndexOrder) await sql`set local enable_sort = off`.execute(db);
      const output = await script(tx);
      await sql`commit`.execute(db);
      return output;
    },
    async pages() {
      await sql.raw(REPORT).execute(db);
      const { rows } = await sql.raw<{ pages: string }>(TOUCHED).execute(db);
      return Number(rows[0]?.pages);
    },
  };
}

/** Or the statistics of a small table would come in between, and with them plans that read it whole. */
export async function stopAutovacuum(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  for (const { name } of rows)
    await sql`alter table ${sql.id(name)} set (autovacuum_enabled = false)`.execute(db);
}

/** A transaction that was forgotten: vacuum and pages keep every version that it may still read. */
export async function holdSnapshot(url: string): Promise<pg.Client> {
  const client = await connect(url);
  await client.query('begin isolation level repeatable read; select count(*) from jobs');
  return client;
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
