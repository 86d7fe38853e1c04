import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Command, reads } from '../../command.ts';
import type { Shape } from '../../output/shape.ts';

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

const COMMAND: Shape = {
  fields: ['command', 'about', 'arguments', 'options'],
  columns: ['command', 'about'],
  id: 'command',
};

/** Every command with its arguments and options: for agents and tools. Options of all commands are listed once. */
export function listCommands(program: CommandUnknownOpts | null): Command<[]> {
  const commands = program ? leaves(program, '') : [];
  return reads<[]>(
    ({ output }) => (output.format === 'json' && !output.hasFields ? 'document' : COMMAND),
    async ({ output }) => {
      if (output.format !== 'json' || output.hasFields) await output.list(commands, COMMAND);
      else await output.document({ global_options: program ? optionsOf(program) : [], commands });
      return undefined;
    },
  );
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
