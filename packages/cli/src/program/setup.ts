import type { Command } from '../command.ts';
import type { optionValues } from '../input/option-values.ts';
import type { Text } from '../language.ts';
import type { Texts } from '../texts/ko.ts';

/** What the declaration of commands needs. */
export interface Setup {
  readonly t: (text: Text) => string;
  readonly texts: Texts;
  readonly values: ReturnType<typeof optionValues>;
  /** An action that loads its command when it runs: help and completion load none of them. */
  readonly run: <Args extends readonly unknown[]>(
    load: () => Promise<Command<Args>>,
  ) => (...args: Args) => Promise<void>;
  /** Text after the help of a command. */
  readonly examples: (...lines: readonly string[]) => string;
}
