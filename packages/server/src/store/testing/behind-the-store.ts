import { type CompiledQuery, Kysely, type LogEvent, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openSqliteConnection } from '../backends/sqlite-connection.ts';
import type { Database } from '../schema/tables.ts';

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
