import { escapeControls } from '@changgu/contract/harmless-text';
import type { ServerConfig } from '../config/server-config.ts';
import type { CoreDependencies } from '../core.ts';
import type { Actor } from '../rules/principals/actor.ts';

/** The actor recorded for commands, which anyone with access to the machine can run. */
export const COMMAND_ACTOR: Actor = { kind: 'system', id: 'command', traceId: null };

/** `--data-dir`, for commands that can also be used on a `dev` server. */
export const DATA_DIR = ['--data-dir <dir>', 'data directory of a dev server'] as const;

export interface DataDir {
  readonly dataDir?: string;
}

/** What each command receives. */
export interface Opened {
  readonly core: CoreDependencies;
  readonly config: ServerConfig;
}

/** Opens database and keys, also next to a running server, and closes them again. */
export async function withCore(
  { dataDir }: DataDir,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const [{ readConfig }, { forgetSecrets }, { openCore }, { systemClock }] = await Promise.all([
    import('../config/server-config.ts'),
    import('../config/forget-secrets.ts'),
    import('../core.ts'),
    import('../clock.ts'),
  ]);
  const config = await readConfig('command', process.env, dataDir === undefined ? {} : { dataDir });
  forgetSecrets(process.env);
  const core = await openCore(config, { clock: systemClock, inThisThread: true });
  try {
    await work({ core, config });
  } finally {
    await core.close();
  }
}

/** One line of JSON, for people and programs alike. Some of its texts are strangers'. */
export function print(value: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(value))}\n`);
}
