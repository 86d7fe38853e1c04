import type { SettingFlags } from './config/settings.ts';
import type { Format } from './output/format.ts';
import { shellWord } from './output/shell-word.ts';

/** Options of every command, as parsed by commander. */
export interface GlobalOptions extends SettingFlags {
  readonly output?: Format | undefined;
  readonly json?: true | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly jq?: string | undefined;
  readonly header?: true | undefined;
  readonly bom?: true | undefined;
  readonly color: boolean;
  readonly quiet?: true | undefined;
  readonly debug?: true | undefined;
  readonly input: boolean;
  readonly yes?: true | undefined;
  readonly dryRun?: true | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly config?: string | undefined;
}

/**
 * A command to type next, with this run's options that select service and credentials; without them it would
 * be another command.
 */
export function nextCommand(command: string, globals: GlobalOptions): string {
  if (!command.startsWith('changgu ')) return command;
  const flags = [
    ['--profile', globals.profile],
    ['--base-url', globals.baseUrl],
    ['--env-scope', globals.envScope],
    ['--config', globals.config],
  ] as const;
  const missing = flags.flatMap(([flag, value]) =>
    value === undefined || command.includes(`${flag} `) ? [] : [`${flag} ${shellWord(value)}`],
  );
  return [command, ...missing].join(' ');
}

/**
 * The typed command for typing again with other options.
 * @param replaced names of options with a value that are left out, because the others take their place
 */
export function commandAgain(
  words: readonly string[],
  options: readonly string[],
  replaced: readonly string[],
): string {
  const isJoined = (word: string) =>
    replaced.some((name) =>
      name.startsWith('--') ? word.startsWith(`${name}=`) : word.startsWith(name),
    );
  const kept = words.filter(
    (word, index) => !isReplaced(word) && !isReplaced(words[index - 1]) && !isJoined(word),
  );
  return ['changgu', ...[...kept, ...options].map(shellWord)].join(' ');

  function isReplaced(word: string | undefined): boolean {
    return word !== undefined && replaced.includes(word);
  }
}
