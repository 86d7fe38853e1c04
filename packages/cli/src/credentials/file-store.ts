import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, readIfThere, writePrivateFile } from '../config/private-file.ts';
import { parseSecrets, type SecretStore } from './secret-store.ts';

/** One file per profile, 0600 in a directory 0700, so concurrent logins cannot lose each other's secret. */
export function fileStore(dir: string): SecretStore {
  return {
    kind: 'file',
    async read(profile) {
      const text = await readIfThere(secretsFile(dir, profile));
      return text === null ? null : parseSecrets(text);
    },
    write: (profile, secrets) =>
      writePrivateFile(secretsFile(dir, profile), `${JSON.stringify(secrets, null, 2)}\n`),
    async remove(profile) {
      try {
        await rm(secretsFile(dir, profile));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  };
}

export function secretsFile(dir: string, profile: string): string {
  return join(dir, `${profile}.json`);
}
