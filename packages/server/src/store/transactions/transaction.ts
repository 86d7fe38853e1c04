import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../schema/tables.ts';
import type { Dialect, Signal, Transaction } from './script.ts';

const OFFSET = `coalesce((select cast(value as bigint) from settings where name = 'clock_offset_ms'), 0)`;

/** The clock of a dialect in ready-made statements: it is asked in nearly every script. */
export interface ClockQueries {
  readonly business: CompiledQuery<{ now: number }>;
  readonly real: CompiledQuery<{ now: number }>;
}

export function clockQueries(clockSql: string): ClockQueries {
  return {
    business: CompiledQuery.raw(`select ${clockSql} + ${OFFSET} as now`),
    real: CompiledQuery.raw(`select ${clockSql} as now`),
  };
}

/** What one script works with. Signals are left in `signals` until the transaction has committed. */
export function createTransaction(
  db: Kysely<Database>,
  dialect: Dialect,
  queries: ClockQueries,
  signals: Signal[],
): Transaction {
  const ask = async (query: CompiledQuery<{ now: number }>): Promise<number> => {
    const { rows } = await db.executeQuery(query);
    const row = rows[0];
    if (row === undefined) throw new Error('the database has no clock');
    return row.now;
  };
  return {
    db,
    dialect,
    clock: sql<number>`(${dialect.clock} + ${sql.raw(OFFSET)})`,
    now: () => ask(queries.business),
    realNow: () => ask(queries.real),
    signal: (signal) => {
      signals.push(signal);
    },
  };
}
