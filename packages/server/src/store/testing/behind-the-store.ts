import { CompiledQuery, Kysely, type LogEvent, PostgresDialect } from 'kysely';
import pg from 'pg';
import { POSTGRES } from '../backends/postgres-dialect.ts';
import { openSqliteConnection, SQLITE } from '../backends/sqlite-connection.ts';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';
import type { TestStores } from './describe-stores.ts';

const INT8 = 20;

/**
 * The tables themselves, for tests that arrange or look at what no script would, and that watch the
 * statements. Close it with `destroy`.
 */
export function openBehindTheStore(
  url: string,
  watch: (statement: CompiledQuery) => void = () => {},
): Kysely<Database> {
  const log = ({ query }: LogEvent) => watch(query);
  if (url.startsWith('sqlite:')) {
    return openSqliteConnection(url.slice('sqlite:'.length), 'writer', log).db;
  }
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({ connectionString: url, max: 1, types });
  // The database may be dropped while a closing connection still says goodbye.
  pool.on('error', () => {});
  // So may the server, in the middle of a query.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log });
}

/** For tests that run a script's statements there and watch them. Nothing is begun, and each commits alone. */
export function transactionBehind(db: Kysely<Database>, name: TestStores['dialect']): Transaction {
  const dialect = name === 'sqlite' ? SQLITE : POSTGRES;
  return {
    db,
    run: async <Row>(text: string, parameters: readonly unknown[]) =>
      (await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows,
    dialect,
    clock: dialect.clock,
    now: async () => Date.now(),
    realNow: async () => Date.now(),
    signal: () => {},
    conclude: () => {},
  };
}
