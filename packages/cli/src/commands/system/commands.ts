import type { Command } from '@commander-js/extra-typings';
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
export async function commands(cli: Cli, program: Command): Promise<undefined> {
  const globals = optionsOf(program);
  const all = leaves(program, '').map((command) => ({ ...command, global_options: globals }));
  await cli.output.list(all, { columns: ['command', 'about'], id: 'command' });
}

function leaves(parent: Command, path: string): CommandFacts[] {
  return parent.commands.flatMap((child) => {
    const command = child as Command;
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

function optionsOf(command: Command): CommandFacts['options'] {
  return command.options.map(({ flags, description, argChoices }) => ({
    flags,
    about: description,
    choices: argChoices ?? null,
  }));
}
