import { Cli, type RunContext, WritingCli } from './cli.ts';
import type { Command } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

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
  if (!cli.gate.dryRun) return (await command.run(cli, ...args)) ?? EXIT.ok;
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
