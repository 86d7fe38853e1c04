import { Cli, type RunContext, WritingCli } from './cli.ts';
import type { Command } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { OutputError } from './io.ts';
import { Unfinished } from './unfinished.ts';

/**
 * Runs a parsed command: checks the output options against what it prints, and shows where a dry run
 * stopped.
 * @param onStart called with the context, which the caller closes
 */
export async function runCommand<Args extends readonly unknown[]>(
  command: Command<Args>,
  context: RunContext,
  args: Args,
  onStart: (cli: Cli) => void,
): Promise<ExitCode> {
  const checked = async <Context extends Cli>(cli: Context): Promise<Context> => {
    onStart(cli);
    const { prints } = command;
    await cli.output.expect(typeof prints === 'function' ? await prints(cli, ...args) : prints);
    return cli;
  };
  if (command.effect === 'reads') {
    return (await command.run(await checked(new Cli(context)), ...args)) ?? EXIT.ok;
  }
  const cli = await checked(new WritingCli(context));
  if (!cli.gate.dryRun) {
    const code = await command.run(cli, ...args).catch((error: unknown) => {
      throw error instanceof OutputError && cli.gate.hasChanged ? onlyUnprinted(cli, error) : error;
    });
    return code ?? EXIT.ok;
  }
  try {
    await command.run(cli, ...args);
  } catch (error) {
    if (cli.gate.held === null) throw error;
  }
  const { held } = cli.gate;
  if (held !== null) await cli.output.intent(held);
  await cli.notes.info(held === null ? cli.texts.output.nothingToDo : cli.texts.output.dryRun);
  return EXIT.ok;
}

/** The change was made, so the same command again would make another: what is known of it must be told. */
function onlyUnprinted({ texts }: Cli, error: OutputError): Unfinished {
  const named = Object.entries(error.lost).map((each) => each.join(' '));
  const notice = texts.failures.onlyUnprinted(named.join(', '));
  return new Unfinished(error, { facts: error.lost, notice, commands: [] });
}
