import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../database.ts';
import type { Dialect } from '../transactions/script.ts';
import { migratedTemplate } from './postgres-template.ts';
import { queryPostgres, type TestRow } from './run-on-postgres.ts';
import { copyMigratedSqlite } from './sqlite-template.ts';

export interface TestStores {
  readonly dialect: Dialect['name'];
  /** Opens the suite's database; a second call is a second process on the same one. */
  readonly open: (options?: Omit<StoreOptions, 'url'>) => Promise<Store>;
  /** Where the database is. */
  readonly url: () => Promise<string>;
  /** Runs one statement behind the store's back, with `?` for values. The store must have been opened. */
  readonly execute: (
    statement: string,
    values?: readonly SQLInputValue[],
  ) => Promise<readonly TestRow[]>;
}

/** Runs one suite on both databases, each fresh and empty. What was opened is closed at the end. */
export function describeStores(name: string, suite: (stores: TestStores) => void): void {
  describe(`${name} (sqlite)`, () => {
    suite(prepare('sqlite', createSqliteFile));
  });
  describe(`${name} (postgres)`, () => {
    suite(prepare('postgres', createPostgresDatabase));
  });
}

/** A connection of PostgreSQL is a process, which takes longer to start than most tests to run. */
const POOL_SIZE = 4;

export interface TestDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

function prepare(dialect: Dialect['name'], create: () => Promise<TestDatabase>): TestStores {
  const opened: Store[] = [];
  let database: Promise<TestDatabase> | undefined;
  let behind: pg.Pool | undefined;
  const url = async () => {
    database ??= create();
    return (await database).url;
  };
  // In a separate hook: starting PostgreSQL takes longer than a test may.
  beforeAll(url);
  afterAll(async () => {
    for (const store of opened) await store.close();
    await behind?.end();
    await (await database)?.remove();
  });
  return {
    dialect,
    url,
    async execute(statement, values = []) {
      if (dialect === 'sqlite') {
        // As by another process, of which this one learns in a later turn of its event loop.
        await nextTurn();
        return executeSqlite(await url(), statement, values);
      }
      behind ??= connectionsBehind(await url());
      return queryPostgres(behind, statement, values);
    },
    async open(options = {}) {
      const store = await openStore({ poolSize: POOL_SIZE, ...options, url: await url() });
      opened.push(store);
      return store;
    },
  };
}

/** Kept open: a login for each statement takes many times as long as the statement. */
function connectionsBehind(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  // Some tests break all connections; the next statement then opens another one.
  pool.on('error', () => {});
  return pool;
}

async function createSqliteFile(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-store-'));
  const path = join(directory, 'changgu.db');
  await copyMigratedSqlite(path);
  return {
    url: `sqlite:${path}`,
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

let databases = 0;
let connection: pg.Pool | undefined;

/** A fresh, migrated database of the run's PostgreSQL, for tests that start whole servers. */
export async function createPostgresDatabase(): Promise<TestDatabase> {
  const answer = await fetch(inject('postgresDoor'));
  const server = await answer.text();
  if (!answer.ok) throw new Error(server);
  const template = await migratedTemplate(server);
  databases += 1;
  const name = `changgu_${process.pid}_${databases}_${Date.now()}`;
  // Copied as files, with the catalog that connections would otherwise collect anew: half the work.
  connection ??= connectionsBehind(server);
  await connection.query(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: async () => void (await connection?.query(`drop database ${name} with (force)`)),
  };
}

function executeSqlite(
  url: string,
  statement: string,
  values: readonly SQLInputValue[],
): readonly TestRow[] {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 });
  try {
    return db.prepare(statement).all(...values);
  } finally {
    db.close();
  }
}
