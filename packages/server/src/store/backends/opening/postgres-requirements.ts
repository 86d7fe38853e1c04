import { sql } from 'kysely';
import { MigrationError } from '../migrate.ts';
import { SESSION_MARK } from '../postgres-connections.ts';
import {
  isLockTimeout,
  isPoolerRefusal,
  isReadOnly,
  judge,
  lacksPrivilege,
} from '../postgres-errors.ts';
import type { PostgresSession } from '../postgres-session.ts';
import { DatabaseUnreachableError } from './database-unreachable.ts';

/** The oldest version with every function and setting that the store uses. */
const OLDEST_VERSION = 13;

const CONNECT_DIRECTLY =
  'Connect to PostgreSQL itself and not through a pooler such as PgBouncer: each session has settings of its own, and one listens';

interface Found {
  readonly version: number;
  readonly encoding: string;
  readonly synchronous_commit: string;
  readonly mark: string | null;
}

/** @throws MigrationError when this database would lose or refuse what the service accepts */
export async function requireUsable({ db }: PostgresSession): Promise<void> {
  const { rows } = await sql<Found>`select
    current_setting('server_version_num')::integer / 10000 as version,
    current_setting('server_encoding') as encoding,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting(${SESSION_MARK}, true) as mark`.execute(db);
  const problem = rows.map(problemOf).find((found) => found !== null);
  if (problem) throw new MigrationError(problem);
}

export function problemOf({ version, encoding, synchronous_commit, mark }: Found): string | null {
  if (version < OLDEST_VERSION) {
    return `the database is PostgreSQL ${version}; use version ${OLDEST_VERSION} or newer`;
  }
  if (encoding !== 'UTF8') {
    return `the database has the encoding ${encoding}, which cannot hold every text. Create it with: create database … encoding 'UTF8' template template0`;
  }
  if (!mark) return `a pooler drops the settings of the sessions. ${CONNECT_DIRECTLY}`;
  if (synchronous_commit !== 'off') return null;
  return 'the database has synchronous_commit = off and could lose accepted jobs; turn it on';
}

/** A first connection that failed. */
export function failureToConnect(url: string, error: unknown): unknown {
  if (isPoolerRefusal(error)) {
    return new MigrationError(`${error.message}. ${CONNECT_DIRECTLY}`);
  }
  return judge(error).unavailable ? new DatabaseUnreachableError(url, error) : error;
}

/** A check or a migration that failed, with what to do about it where that is known. */
export function failureToPrepare(error: unknown): unknown {
  if (isLockTimeout(error)) {
    return new MigrationError(
      'another transaction holds a table that this version changes; nothing was changed. Wait for its end, or end it (pg_stat_activity lists it), and start again',
    );
  }
  if (lacksPrivilege(error)) {
    return new MigrationError(
      `${error.message}. The user in CHANGGU_DATABASE_URL owns the tables and creates them: let it own the database, or run "grant create on schema public to …" there`,
    );
  }
  if (isReadOnly(error)) {
    return new MigrationError(
      `${error.message}. The database is a standby or set to read-only: name the primary in CHANGGU_DATABASE_URL`,
    );
  }
  return error;
}
