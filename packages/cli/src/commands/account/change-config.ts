import { dirname } from 'node:path';
import type { WritingCli } from '../../cli.ts';
import { type ConfigFile, readConfigFile, writeConfigFile } from '../../config/config-file.ts';
import { makePrivateDir } from '../../config/private-file.ts';
import { onFile } from '../../file-error.ts';
import { waitForLock } from '../../locks/process-lock.ts';

/**
 * Changes config.toml as it is by now: a login in the browser takes minutes, and another process may have written
 * meanwhile. One process changes it at a time.
 */
export function changeConfig<Change extends { readonly config: ConfigFile }>(
  cli: WritingCli,
  change: (config: ConfigFile) => Change | Promise<Change>,
): Promise<Change> {
  const { configFile } = cli.locations;
  return cli.change({ writes: configFile }, async () => {
    const lock = await onFile(configFile, async () => {
      await makePrivateDir(dirname(configFile));
      return waitForLock(`${configFile}.lock`, cli.io.isAlive, cli.signal);
    });
    try {
      const changed = await change(await readConfigFile(configFile, cli.texts));
      await writeConfigFile(configFile, changed.config);
      return changed;
    } finally {
      await lock.release();
    }
  });
}
