import { type Kysely, sql } from 'kysely';
import { MIGRATIONS, type Migration } from '../migrations/index.ts';
import type { Database } from '../schema/tables.ts';
import type { Dialect } from '../transactions/script.ts';

/** Thrown at opening when database and program do not belong together; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Brings the tables up to date, inside a transaction of the caller that keeps other processes out.
 * With `apply` false it only checks.
 */
export async function migrate(
  db: Kysely<Database>,
  dialect: Dialect,
  apply: boolean,
): Promise<string[]> {
  await dialect.lock(db, 'migrations');
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
    db,
  );
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  assertKnown(applied);
  const pending = MIGRATIONS.filter((migration) => !applied.has(migration.name));
  if (!apply && pending.length > 0) {
    throw new MigrationError(`run "changgu-server migrate" first; pending: ${names(pending)}`);
  }
  // The migrations create tables that the typed schema already names, so they see it untyped.
  const untyped = db as Kysely<unknown>;
  for (const migration of pending) {
    await migration.up(untyped, dialect);
    await sql`insert into migrations (name, applied_at)
      values (${migration.name}, ${dialect.clock})`.execute(db);
  }
  return pending.map((migration) => migration.name);
}

function assertKnown(applied: ReadonlySet<string>): void {
  const known = new Set(MIGRATIONS.map((migration) => migration.name));
  const unknown = [...applied].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `the database is newer than this program (it has ${unknown.join(', ')}); run a newer version`,
  );
}

function names(migrations: readonly Migration[]): string {
  return migrations.map((migration) => migration.name).join(', ');
}
