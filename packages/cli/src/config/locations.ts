import { join } from 'node:path';
import type { Io } from '../io.ts';

/** Where things are kept between runs. */
export interface Locations {
  /** Profiles; no secret. */
  readonly configFile: string;
  /** One file per profile, when there is no keychain. */
  readonly secretsDir: string;
  /** Journals of all-accounts runs. */
  readonly runsDir: string;
  /** Submissions whose answer is not known yet. */
  readonly pendingDir: string;
}

/** XDG directories, %APPDATA% on Windows, else ~/.config and ~/.local/state. `given` is --config. */
export function locate({ env, home, platform }: Io, given: string | undefined): Locations {
  const windows = platform === 'win32';
  const config = env.XDG_CONFIG_HOME || (windows && env.APPDATA) || join(home, '.config');
  const state =
    env.XDG_STATE_HOME || (windows && env.LOCALAPPDATA) || join(home, '.local', 'state');
  return {
    configFile: given ?? join(config, 'changgu', 'config.toml'),
    secretsDir: join(config, 'changgu', 'credentials'),
    runsDir: join(state, 'changgu', 'runs'),
    pendingDir: join(state, 'changgu', 'pending'),
  };
}
