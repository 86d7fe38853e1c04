import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** The position of a word that is to be completed, or is missing. */
export interface Place {
  readonly command: CommandUnknownOpts;
  /** Arguments before it. */
  readonly given: readonly string[];
  /** The option whose value it is. */
  readonly optionName: string | null;
  readonly current: string;
}

/** The command, the position in it, and the part already typed. */
export function placeOf(program: CommandUnknownOpts, words: readonly string[]): Place {
  const current = words.at(-1) ?? '';
  let command = program;
  let optionName: string | null = null;
  const given: string[] = [];
  for (const word of words.slice(0, -1)) {
    if (optionName !== null) {
      optionName = null;
    } else if (word.startsWith('-')) {
      const option = optionOf(program, command, word);
      const takesValue = option?.required || option?.optional;
      optionName = takesValue && !word.includes('=') ? (option?.long ?? null) : null;
    } else {
      const sub =
        given.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (sub) command = sub;
      else given.push(word);
    }
  }
  return { command, given, optionName, current };
}

function optionOf(program: CommandUnknownOpts, command: CommandUnknownOpts, word: string) {
  const [flag] = word.split('=', 1);
  return [...command.options, ...program.options].find(
    ({ long, short }) => long === flag || short === flag,
  );
}
