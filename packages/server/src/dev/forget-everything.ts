import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { devMasterKeyFile } from '../crypto/master-key-source.ts';
import { demoFile } from './demo-file.ts';

const DATABASE = 'changgu.db';

/**
 * Deletes the files that `dev` keeps in its data directory, one by one: other files there are not ours.
 * @throws ConfigError for a database that does not exist
 */
export async function forgetEverything({ dataDir, databaseUrl }: ServerConfig): Promise<void> {
  const database = join(dataDir, DATABASE);
  if (databaseUrl !== `sqlite:${database}`) {
    throw new ConfigError([
      '--fresh only deletes the embedded database; unset CHANGGU_DATABASE_URL',
    ]);
  }
  const files = [
    ...['', '-wal', '-shm'].map((suffix) => `${database}${suffix}`),
    demoFile(dataDir),
    devMasterKeyFile(dataDir),
  ];
  for (const file of files) await rm(file, { force: true });
}
