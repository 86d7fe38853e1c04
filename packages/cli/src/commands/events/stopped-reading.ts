import type { Cli } from '../../cli.ts';
import { CliError } from '../../cli-error.ts';
import { EXIT } from '../../exit-codes.ts';
import { Unfinished } from '../../unfinished.ts';

/** A stream of events that ended: how, and the command that continues it, in words and in JSON. */
export function stoppedReading({ texts }: Cli, cause: unknown, command: string): Unfinished {
  // What timed out is told in the words of the notice.
  const timedOut = cause instanceof CliError && cause.exitCode === EXIT.stillOpen;
  const { goOn } = texts.events;
  return new Unfinished(cause, {
    facts: {},
    notice: timedOut ? `${cause.message} ${goOn}` : goOn,
    commands: [command],
  });
}
