import pg from 'pg';
import { expect, vi } from 'vitest';
import type { TestStores } from './describe-stores.ts';

/** A lock of PostgreSQL that another process holds. */
export interface HeldLock extends AsyncDisposable {
  /** Within the transaction that holds it. */
  query(sql: string, values: readonly unknown[]): Promise<number | null>;
  /** Until so many transactions wait for any lock by name. */
  waiting(n: number): Promise<void>;
}

export async function holdLock(stores: TestStores, name: string): Promise<HeldLock> {
  const holder = new pg.Client(await stores.url());
  await holder.connect();
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  const waits = `select 1 from pg_locks join pg_database on oid = database
    where datname = current_database() and locktype = 'advisory' and not granted`;
  return {
    query: async (sql, values) => (await holder.query(sql, [...values])).rowCount,
    waiting: (n) =>
      vi.waitFor(async () => expect((await holder.query(waits)).rowCount).toBe(n), 10_000),
    [Symbol.asyncDispose]: () => holder.end(),
  };
}
