import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema/tables.ts';
import type { Dialect, RunStatement, Signal, Transaction } from './script.ts';

const OFFSET = `coalesce((select cast(value as bigint) from settings where name = 'clock_offset_ms'), 0)`;

/** One connection as scripts use it. */
export interface Session {
  readonly db: Kysely<Database>;
  readonly run: RunStatement;
}

/** The clock of a dialect in ready texts: it is asked in nearly every script. */
interface ClockTexts {
  readonly business: string;
  readonly real: string;
  readonly expression: Transaction['clock'];
}

export function clockTexts(clockSql: string): ClockTexts {
  return {
    business: `select ${clockSql} + ${OFFSET} as now`,
    real: `select ${clockSql} as now`,
    expression: sql<number>`(${sql.raw(clockSql)} + ${sql.raw(OFFSET)})`,
  };
}

/** What one script works with. Signals are left in `signals` until the transaction has committed. */
export function createTransaction(
  { db, run }: Session,
  dialect: Dialect,
  clock: ClockTexts,
  signals: Signal[],
  conclude: Transaction['conclude'] = () => {},
): Transaction {
  const ask = async (text: string): Promise<number> => {
    const [row] = await run<{ now: number }>(text, []);
    if (row === undefined) throw new Error('the database has no clock');
    return row.now;
  };
  return {
    db,
    run,
    dialect,
    clock: clock.expression,
    now: () => ask(clock.business),
    realNow: () => ask(clock.real),
    signal: (signal) => {
      signals.push(signal);
    },
    conclude,
  };
}
