import { type Kysely, sql } from 'kysely';
import { MIGRATIONS, type Migration } from '../migrations/index.ts';
import type { Dialect } from '../transactions/script.ts';
import type { Session } from '../transactions/transaction.ts';

/** The database and the program do not match; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Updates the tables inside the caller's transaction, which keeps other processes out.
 * With `apply` false it only checks. `beforeChanges` runs when there is something to change.
 */
export async function migrate(
  session: Session,
  dialect: Dialect,
  apply: boolean,
  beforeChanges: () => Promise<void> = async () => {},
): Promise<string[]> {
  const { db } = session;
  await dialect.lock(session, 'migrations');
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
    db,
  );
  await sql`create table if not exists additive_migrations (name text primary key)`.execute(db);
  const { rows } = await sql<Applied>`
    select migrations.name, case when additive_migrations.name is null then 0 else 1 end as additive
    from migrations left join additive_migrations on additive_migrations.name = migrations.name`.execute(
    db,
  );
  const applied = new Set(rows.map((row) => row.name));
  assertKnown(rows);
  const pending = MIGRATIONS.filter((migration) => !applied.has(migration.name));
  if (!apply && pending.length > 0) {
    throw new MigrationError(`run "changgu-server migrate" first; pending: ${names(pending)}`);
  }
  if (pending.length > 0) await beforeChanges();
  // Migrations create tables that the typed schema already names, so they use it untyped.
  const untyped = db as Kysely<unknown>;
  for (const migration of pending) {
    await migration.up(untyped, dialect);
    await sql`insert into migrations (name, applied_at)
      values (${migration.name}, ${dialect.clock})`.execute(db);
    if (migration.additive) {
      await sql`insert into additive_migrations (name) values (${migration.name})`.execute(db);
    }
  }
  return pending.map((migration) => migration.name);
}

interface Applied {
  readonly name: string;
  readonly additive: number;
}

/** A newer version's migrations are harmless if they only add, so processes can be upgraded one by one. */
function assertKnown(applied: readonly Applied[]): void {
  const known = new Set(MIGRATIONS.map((migration) => migration.name));
  const unknown = applied
    .filter(({ name, additive }) => !known.has(name) && additive === 0)
    .map(({ name }) => name);
  if (unknown.length === 0) return;
  throw new MigrationError(
    `the database is newer than this program (it has ${unknown.join(', ')}); run a newer version`,
  );
}

function names(migrations: readonly Migration[]): string {
  return migrations.map((migration) => migration.name).join(', ');
}
