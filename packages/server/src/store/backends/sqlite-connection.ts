import { chmodSync, closeSync, openSync } from 'node:fs';
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite';
import { Kysely, type Logger, SqliteDialect, sql } from 'kysely';
import type { Database } from '../schema/tables.ts';
import type { Dialect } from '../transactions/script.ts';
import { clockTexts, type Session } from '../transactions/transaction.ts';

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENT_CACHE = 500;
/** 16 MB. Each key of a submission lies on another page; at SQLite's 1,000 copying them took a fifth of all commits. */
const CHECKPOINT_PAGES = 4_000;
const CLOCK = `cast(round(unixepoch('subsec') * 1000) as integer)`;

export const SQLITE_CLOCK_TEXTS = clockTexts(CLOCK);

export const SQLITE: Dialect = {
  name: 'sqlite',
  clock: sql.raw(CLOCK),
  // SQLite has one writer at a time: BEGIN IMMEDIATE already is the lock.
  lock: async () => {},
  each: (json) => sql`(select key + 1 as n, value from json_each(${json})) as line`,
  eventHorizon: sql<number>`1`,
  forUpdate: sql``,
  forShare: sql``,
  skipLocked: sql``,
  isOneOf: (column, values) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
};

export interface SqliteConnection extends Session {
  readonly raw: DatabaseSync;
  /** Prepared, because every turn of the event loop or every write runs them. */
  readonly control: {
    readonly begin: StatementSync;
    readonly beginImmediate: StatementSync;
    readonly commit: StatementSync;
    readonly savepoint: StatementSync;
    readonly release: StatementSync;
  };
}

/** Opens a connection with the durability that the service promises: an answered write survives a power failure. */
export function openSqliteConnection(
  path: string,
  mode: 'writer' | 'reader' | 'lookup',
  log: Logger = () => {},
): SqliteConnection {
  if (mode === 'lookup') return connectionOf(openForLookups(path), log);
  // SQLite would make the file readable by all users; the WAL and SHM files inherit its mode.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const raw = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  raw.exec('pragma journal_mode = wal');
  raw.exec('pragma synchronous = full');
  raw.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  raw.exec('pragma secure_delete = on');
  raw.exec('pragma foreign_keys = on');
  raw.exec('pragma temp_store = memory');
  if (mode === 'reader') raw.exec('pragma query_only = on');
  return connectionOf(raw, log);
}

/** For the main thread, which must not wait: a call that would have to wait is repeated on the thread. */
function openForLookups(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: 0 });
}

/** The scripts' view of an open database. */
export function connectionOf(raw: DatabaseSync, log: Logger = () => {}): SqliteConnection {
  const database = wrap(raw);
  return {
    raw,
    db: new Kysely<Database>({ dialect: new SqliteDialect({ database }), log }),
    run: <Row>(text: string, parameters: readonly unknown[]) =>
      database.prepare(text).all(parameters) as Row[],
    control: {
      begin: raw.prepare('begin'),
      beginImmediate: raw.prepare('begin immediate'),
      commit: raw.prepare('commit'),
      savepoint: raw.prepare('savepoint script'),
      release: raw.prepare('release script'),
    },
  };
}

type Row = Record<string, SQLOutputValue>;

interface PreparedStatement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** Kysely's dialect expects another driver's statements; node:sqlite's differ in `reader` and in spreading. */
function wrap(raw: DatabaseSync) {
  const cache = new Map<string, PreparedStatement>();
  return {
    close: () => raw.close(),
    prepare(text: string): PreparedStatement {
      const known = cache.get(text);
      if (known) return known;
      const prepared = adapt(raw.prepare(plannedOnce(text)));
      // Texts that come once must not keep out one that comes often from then on: those are soon prepared again.
      if (cache.size >= STATEMENT_CACHE) cache.clear();
      cache.set(text, prepared);
      return prepared;
    },
  };
}

/**
 * SQLite looks at the value of a bare `limit ?` to plan a statement, and so plans it anew each time one is bound:
 * a claim took ten times as long.
 */
function plannedOnce(text: string): string {
  return text.replaceAll('limit ?', 'limit cast(? as integer)');
}

/**
 * Rows come as arrays and become objects here: node:sqlite makes objects without a hidden class, which cost more
 * than a statement that finds one row.
 */
function adapt(statement: StatementSync): PreparedStatement {
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  // Kysely types parameters as unknown; node:sqlite itself refuses what it cannot bind.
  const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  // The types of node:sqlite do not know of arrays.
  const row = (values: unknown) => rowOf(names, values as readonly SQLOutputValue[]);
  return {
    reader: names.length > 0,
    all: (parameters) => statement.all(...bind(parameters)).map(row),
    run: (parameters) => statement.run(...bind(parameters)),
    *iterate(parameters) {
      for (const values of statement.iterate(...bind(parameters))) yield row(values);
    },
  };
}

function rowOf(names: readonly string[], values: readonly SQLOutputValue[]): Row {
  const row: Row = {};
  let n = 0;
  for (const name of names) {
    row[name] = values[n] ?? null;
    n += 1;
  }
  return row;
}
