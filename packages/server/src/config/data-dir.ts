import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

interface DatabaseIn {
  readonly dataDir: string;
  readonly databaseUrl: string;
}

/** The database of a server that is given none. */
export function databaseFileIn(dataDir: string): string {
  return join(dataDir, 'changgu.db');
}

export function isDatabaseInDataDir({ dataDir, databaseUrl }: DatabaseIn): boolean {
  return databaseUrl === `sqlite:${databaseFileIn(dataDir)}`;
}

/**
 * Makes the directory of the default database. That of a database which someone named is theirs to make: a mistyped
 * path must not begin an empty service.
 */
export async function createDataDir(config: DatabaseIn): Promise<void> {
  if (isDatabaseInDataDir(config)) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  }
}
