import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { ServiceError } from '../../rules/service-error.ts';
import type { Database } from '../schema/tables.ts';
import { findScript, type ScriptName } from '../scripts.ts';
import { storeUnavailable } from '../transactions/failure.ts';
import { type Dialect, RetryTransactionError, type Signal } from '../transactions/script.ts';
import { clockQueries, createTransaction } from '../transactions/transaction.ts';
import { type Backend, createSignalHub } from './backend.ts';
import { MigrationError, migrate } from './migrate.ts';
import { openSignalChannel } from './postgres-signals.ts';
import { preparing } from './postgres-statements.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly migrate: boolean;
  /** Connections of this process beside the one that listens. */
  readonly poolSize: number;
}

const CLOCK = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const CLOCK_QUERIES = clockQueries(CLOCK);
const INT8 = 20;
const ATTEMPTS = 5;
const RETRY_MS = 5;
/** serialization_failure, deadlock_detected: the transaction did nothing and may be tried again. */
const TRY_AGAIN = new Set(['40001', '40P01']);
/** Server starting, stopping or full, and the sockets that break with it. */
const UNAVAILABLE =
  /^(08\w{3}|53\w{3}|57P0[123]|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EPIPE)$/;

/** character_not_in_repertoire: PostgreSQL keeps no text with a NUL in it. */
const UNSTORABLE_TEXT = '22021';

/** The same, where `pg` gives a text and no code. */
const CONNECTION_LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
/** How long a call waits for a free connection: longer would only grow the queue. */
const CONNECTION_WAIT_MS = 10_000;

export const POSTGRES: Dialect = {
  name: 'postgres',
  clock: sql.raw(CLOCK),
  async lock(db, ...names) {
    const locks = names.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
    await sql`select ${sql.join(locks)}`.execute(db);
  },
  each: (json) => sql`json_array_elements(cast(${json} as json)) with ordinality as line(value, n)`,
  skipLocked: sql`for update skip locked`,
};

/** PostgreSQL, shared by any number of processes: one transaction per script. */
export async function openPostgres(options: PostgresOptions): Promise<Backend> {
  const connection = { connectionString: options.url, types: { getTypeParser } };
  const pool = new pg.Pool({
    ...connection,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
  });
  // A connection that breaks while idle is replaced by the pool; nobody has asked it anything.
  pool.on('error', () => {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  const hub = createSignalHub();
  try {
    await requireDurability(db);
    await db.transaction().execute((trx) => migrate(trx, POSTGRES, options.migrate));
    const channel = await openSignalChannel(
      () => new pg.Client(connection),
      (payload) => pool.query('select pg_notify($1, $2)', ['changgu', payload]),
      hub.deliver,
    );
    const emit = (signals: readonly Signal[]): void => {
      hub.deliver(signals);
      channel.publish(signals);
    };
    let closed = false;
    return {
      dialect: 'postgres',
      onSignal: hub.onSignal,
      call: async (name, input) => {
        if (closed) throw storeUnavailable(new Error('the store is closed'));
        return call(db, name, input, emit);
      },
      close: async () => {
        if (closed) return;
        closed = true;
        await channel.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function call(
  db: Kysely<Database>,
  name: ScriptName,
  input: unknown,
  emit: (signals: readonly Signal[]) => void,
): Promise<unknown> {
  const script = findScript(name);
  for (let attempt = 1; ; attempt += 1) {
    const signals: Signal[] = [];
    const run = (executor: Kysely<Database>) =>
      script.run(createTransaction(executor, POSTGRES, CLOCK_QUERIES, signals), input);
    try {
      // A read that needs one snapshot says it in one statement.
      const value = await (script.kind === 'read'
        ? db.connection().execute(run)
        : db.transaction().execute(run));
      emit(signals);
      return value;
    } catch (error) {
      const again = error instanceof RetryTransactionError || TRY_AGAIN.has(sqlState(error));
      if (sqlState(error) === UNSTORABLE_TEXT) throw unstorable(error);
      if (!again && !isUnavailable(error)) throw error;
      if (!again || attempt === ATTEMPTS) throw storeUnavailable(error);
      await pause(RETRY_MS * attempt);
    }
  }
}

function unstorable(cause: unknown): ServiceError {
  const field = {
    loc: ['body'],
    msg: 'Input should not hold a NUL character',
    type: 'value_error',
  };
  return new ServiceError('VALIDATION_INVALID_FIELD', { fields: [field], cause }, 400);
}

function isUnavailable(error: unknown): boolean {
  if (UNAVAILABLE.test(sqlState(error))) return true;
  return error instanceof Error && CONNECTION_LOST.test(error.message);
}

function sqlState(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return String(error.code);
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format);
}

async function requireDurability(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{
    synchronous_commit: string;
  }>`show synchronous_commit`.execute(db);
  if (rows[0]?.synchronous_commit !== 'off') return;
  throw new MigrationError(
    'the database has synchronous_commit = off and would lose accepted jobs; turn it on',
  );
}
