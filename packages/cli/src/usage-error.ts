import type { CommanderError } from '@commander-js/extra-typings';
import { type CliError, usageError } from './cli-error.ts';
import type { Texts } from './texts/ko.ts';

/** The parser's error in the language of the run; the parser itself speaks English and exits with 1. */
export function translateUsageError({ code, message }: CommanderError, texts: Texts): CliError {
  const name = /'([^']+)'/.exec(message)?.[1] ?? '';
  const [, offered = ''] = /\(Did you mean (?:one of )?([^?)]+)\?\)/.exec(message) ?? [];
  const kind = code.replace('commander.', '');
  const meant = offered
    .split(', ')
    .filter((each) => each !== '' && (kind !== 'unknownCommand' || isSlip(name, each)));
  const hints = meant.length > 0 ? [texts.didYouMean(meant.join(', '))] : [];
  const [, option, value, own] =
    /option '([^']+)' argument '([^']*)' is invalid\. (.+)$/s.exec(message) ?? [];
  const [, choices] = /Allowed choices are (.+)\.$/.exec(own ?? message) ?? [];
  if (choices !== undefined) return usageError(texts.input.notOneOf(option ?? name, choices));
  // Its value would not tell which option it is.
  if (option !== undefined && /^[\s,]*$/.test(value ?? '')) {
    return usageError(texts.input.emptyValue(option));
  }
  // A message of our own parsers already is in the right language.
  return usageError(own ?? sentence(kind, name, message, texts), ...hints);
}

/** A typing error seldom puts another letter first; "rotate" for "create" is another act. */
function isSlip(name: string, command: string): boolean {
  const typed = name.toLowerCase();
  return typed[0] === command[0] || command.endsWith(typed) || typed.endsWith(command);
}

function sentence(kind: string, name: string, message: string, { usage }: Texts): string {
  switch (kind) {
    case 'unknownOption':
      return usage.unknownOption(name);
    case 'unknownCommand':
      return usage.unknownCommand(name);
    case 'missingArgument':
      return usage.missingArgument(name);
    case 'optionMissingArgument':
      return usage.optionMissingArgument(name);
    case 'missingMandatoryOptionValue':
      return usage.missingMandatoryOptionValue(name);
    case 'excessArguments':
      return usage.excessArguments;
    case 'invalidArgument':
      return usage.invalidArgument(name);
    case 'conflictingOption':
      return usage.conflictingOption(
        Array.from(message.matchAll(/'([^']+)'/g), ([, each]) => each).join(', '),
      );
    default:
      return message.replace(/^error: /, '');
  }
}
