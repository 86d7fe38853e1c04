import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from '../../cli.ts';

interface CommandFacts {
  readonly command: string;
  readonly about: string;
  readonly arguments: readonly {
    name: string;
    required: boolean;
    variadic: boolean;
    about: string;
  }[];
  readonly options: readonly { flags: string; about: string; choices: readonly string[] | null }[];
}

/** Every command with its arguments and options: for agents and tools. */
export async function listCommands(
  cli: Cli,
  program: CommandUnknownOpts | null,
): Promise<undefined> {
  if (!program) return;
  const globals = optionsOf(program);
  const all = leaves(program, '').map((command) => ({ ...command, global_options: globals }));
  await cli.output.list(all, { columns: ['command', 'about'], id: 'command' });
}

function leaves(parent: CommandUnknownOpts, path: string): CommandFacts[] {
  return parent.commands.flatMap((command) => {
    const name = `${path}${command.name()}`;
    if (command.commands.length > 0) return leaves(command, `${name} `);
    return [
      {
        command: `changgu ${name}`,
        about: command.description(),
        arguments: command.registeredArguments.map((argument) => ({
          name: argument.name(),
          required: argument.required,
          variadic: argument.variadic,
          about: argument.description,
        })),
        options: optionsOf(command),
      },
    ];
  });
}

function optionsOf(command: CommandUnknownOpts): CommandFacts['options'] {
  return command.options.map(({ flags, description, argChoices }) => ({
    flags,
    about: description,
    choices: argChoices ?? null,
  }));
}
