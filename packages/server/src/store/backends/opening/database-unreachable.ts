import pg from 'pg';

/** PostgreSQL could not be reached when the store was opened. The message names no user and no password. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';

  constructor(url: string, cause: unknown) {
    const { host, port } = new pg.Client(url);
    super(
      `PostgreSQL at ${host}:${port} does not answer (${reasonOf(cause)}). ` +
        'Check CHANGGU_DATABASE_URL, and that PostgreSQL is running and can be reached from this machine.',
      { cause },
    );
  }
}

/** The code of the system or of PostgreSQL; the message where `pg` gives none. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}
