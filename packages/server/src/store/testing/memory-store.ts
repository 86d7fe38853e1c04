import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { migrate } from '../backends/migrate.ts';
import { connectionOf, SQLITE, type SqliteConnection } from '../backends/sqlite-connection.ts';
import { findScript } from '../scripts.ts';
import type { Dialect, Signal } from '../transactions/script.ts';
import { clockTexts, createTransaction } from '../transactions/transaction.ts';

const CLOCK = 'cast(simulated_ms() as integer)';
const DIALECT: Dialect = { ...SQLITE, clock: sql.raw(CLOCK) };
const CLOCK_TEXTS = clockTexts(CLOCK);

export interface Committed {
  readonly value: unknown;
  readonly signals: readonly Signal[];
}

/** The real scripts on a database in memory: no thread, no file and a clock of the test's. */
export interface MemoryStore {
  readonly db: SqliteConnection['db'];
  readonly raw: DatabaseSync;
  /** One transaction; the next call waits until it has ended. */
  call(group: string, script: string, input: unknown): Promise<Committed>;
  /** As if it were new, except the audit, which cannot be deleted. */
  clear(): void;
}

/** Those that the engine writes, each before what it refers to. */
const TABLES =
  'receipts job_events jobs usage breakers portal_sessions account_links organizations settings';

/** @param now what the clock of the database says, in milliseconds */
export async function openMemoryStore(now: () => number): Promise<MemoryStore> {
  const raw = new DatabaseSync(':memory:');
  raw.exec('pragma foreign_keys = on');
  raw.function('simulated_ms', now);
  const connection = connectionOf(raw);
  await migrate(connection, DIALECT, true);
  return {
    db: connection.db,
    raw,
    clear() {
      for (const table of TABLES.split(' ')) raw.exec(`delete from ${table}`);
      raw.exec('delete from sqlite_sequence');
    },
    async call(group, script, input) {
      const signals: Signal[] = [];
      raw.exec('begin immediate');
      try {
        const transaction = createTransaction(connection, DIALECT, CLOCK_TEXTS, signals);
        const value = await findScript({ group, script }).run(transaction, input);
        raw.exec('commit');
        return { value, signals };
      } catch (error) {
        raw.exec('rollback');
        throw error;
      }
    },
  };
}
