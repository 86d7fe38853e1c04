import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Cli, type RunContext } from '../cli.ts';
import { placeOf } from '../input/place.ts';
import { shellWord } from '../output/shell-word.ts';
import { pick } from './pick.ts';
import { choicesFor } from './sources.ts';

/**
 * Lets a person at a terminal choose the argument that a command lacks, and shows the command that comes of it.
 * @param onStart told of the context, which the caller closes
 * @returns null where no one can choose: in a pipe, with JSON, with --no-input, or where there is nothing to choose from
 */
export async function pickMissing(
  program: CommandUnknownOpts,
  context: RunContext,
  onStart: (cli: Cli) => void,
): Promise<string | null> {
  const cli = new Cli(context);
  if (!cli.interactive || context.io.stdout.isTTY !== true || cli.output.format !== 'table') {
    return null;
  }
  onStart(cli);
  const { command, given } = placeOf(program, [...context.words, '']);
  const argument = command.registeredArguments[given.length];
  if (!argument) return null;
  const place = {
    command: command.name(),
    group: command.parent?.name() ?? '',
    argument: argument.name(),
    given,
    values: argument.argChoices ?? null,
  };
  const choices = await choicesFor(cli, place);
  if (choices === null) return null;
  if (choices.rows.length === 0) {
    await cli.notes.info(cli.texts.pick.none(argument.description));
    return null;
  }
  const value = await pick(cli, argument.description, choices);
  const words = ['changgu', ...context.words, value].map(shellWord);
  await cli.notes.info(`$ ${words.join(' ')}`);
  return value;
}
