import type { Cli } from '../../cli.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { isJson } from '../../output/format.ts';
import { runSibling } from './sibling.ts';

export interface SandboxOptions {
  readonly port?: number | undefined;
  readonly dataDir?: string | undefined;
  readonly fresh?: true | undefined;
}

/** Runs the service on this machine: embedded database, demo organization, simulated institutions. */
export function start(
  cli: Cli,
  { port, dataDir, fresh }: SandboxOptions,
): Promise<ExitCode | undefined> {
  return runSibling(cli, '@changgu/server', [
    'dev',
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ...(fresh ? ['--fresh'] : []),
    ...(isJson(cli.output.format) ? ['--json'] : []),
  ]);
}
