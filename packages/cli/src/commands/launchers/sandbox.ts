import { writes } from '../../command.ts';
import { isJson } from '../../output/format.ts';
import { runSibling } from './sibling.ts';

export interface SandboxOptions {
  readonly port?: number | undefined;
  readonly dataDir?: string | undefined;
  readonly fresh?: true | undefined;
}

/** Runs the service on this machine: embedded database, demo organization, simulated institutions. */
export const start = writes<[options: SandboxOptions]>('nothing', (cli, { port, dataDir, fresh }) =>
  runSibling(cli, '@changgu/server', [
    'dev',
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ...(fresh ? ['--fresh'] : []),
    ...(isJson(cli.output.format) ? ['--json'] : []),
  ]),
);
