import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../schema.ts';
import { openSqliteConnection } from '../sqlite-connection.ts';

const INT8 = 20;

/** The tables themselves, for tests that arrange or look at what no script would. Close it with `destroy`. */
export function openBehindTheStore(url: string): Kysely<Database> {
  if (url.startsWith('sqlite:')) {
    return openSqliteConnection(url.slice('sqlite:'.length), 'writer').db;
  }
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({ connectionString: url, max: 2, types });
  // The database may be dropped while a closing connection still says goodbye.
  pool.on('error', () => {});
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
