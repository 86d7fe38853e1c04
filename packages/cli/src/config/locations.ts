import { basename, dirname, join, resolve } from 'node:path';
import type { Io } from '../io.ts';

/** Where data is kept between runs. */
export interface Locations {
  /** Profiles, without secrets. */
  readonly configFile: string;
  /** One file per profile, if there is no keychain. Another configuration file has its own secrets. */
  readonly secretsDir: string;
  /** The name of a profile's secret in the keychain. */
  readonly keychainAccount: (profile: string) => string;
  /** Journals of all-accounts runs. */
  readonly runsDir: string;
  /** Submissions whose answer is unknown. */
  readonly pendingDir: string;
}

/** XDG directories, %APPDATA% on Windows, else ~/.config and ~/.local/state. `given` is --config. */
export function locate({ env, home, platform, cwd }: Io, given: string | undefined): Locations {
  const windows = platform === 'win32';
  const config = env.XDG_CONFIG_HOME || (windows && env.APPDATA) || join(home, '.config');
  const state =
    env.XDG_STATE_HOME || (windows && env.LOCALAPPDATA) || join(home, '.local', 'state');
  const own = join(config, 'changgu', 'config.toml');
  const file = given === undefined ? own : resolve(cwd, given);
  const isOwn = file === own;
  return {
    configFile: file,
    secretsDir: isOwn
      ? join(config, 'changgu', 'credentials')
      : join(dirname(file), `${basename(file)}.credentials`),
    keychainAccount: (profile) => (isOwn ? profile : `${profile} ${file}`),
    runsDir: join(state, 'changgu', 'runs'),
    pendingDir: join(state, 'changgu', 'pending'),
  };
}
