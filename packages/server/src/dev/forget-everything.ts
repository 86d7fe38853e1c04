import { rm } from 'node:fs/promises';
import { ConfigError } from '../config/config-error.ts';
import { databaseFileIn, isDatabaseInDataDir } from '../config/data-dir.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { devMasterKeyFile } from '../crypto/master-keys/master-key-source.ts';
import { demoFile } from './demo-file.ts';

/**
 * Deletes the files that `dev` keeps in its data directory, one by one: other files there are not ours.
 * @throws ConfigError for a database that does not exist
 */
export async function forgetEverything(config: ServerConfig): Promise<void> {
  const { dataDir } = config;
  if (!isDatabaseInDataDir(config)) {
    throw new ConfigError([
      '--fresh only deletes the embedded database; unset CHANGGU_DATABASE_URL',
    ]);
  }
  const database = databaseFileIn(dataDir);
  const files = [
    ...['', '-wal', '-shm'].map((suffix) => `${database}${suffix}`),
    demoFile(dataDir),
    devMasterKeyFile(dataDir),
  ];
  for (const file of files) await rm(file, { force: true });
}
