import type { ArgumentHandler } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import { loadCatalogue } from '@changgu/sdk/catalogue';
import type { Command as TypedCommand } from '@commander-js/extra-typings';
import type { Command } from 'commander';
import type { Language } from '../../language.ts';

/**
 * Writes the completion script of a shell, or answers one of its requests (`complete -- words`): commands, options,
 * choices and the ids of actions. Sends nothing and reads no credentials.
 */
export async function complete(
  program: TypedCommand,
  argv: readonly string[],
  language: Language,
): Promise<void> {
  // The typed command is commander's own at run time; only its methods are narrower.
  const { commands } = tab(program as Command, { completionCommandName: 'completion' });
  const { actions } = await loadCatalogue();
  const actionIds: ArgumentHandler = (answer) => {
    for (const { id, title } of actions.values()) answer(id, title[language]);
  };
  for (const [command, argument] of [
    ['jobs submit', 'action'],
    ['all-accounts run', 'action'],
    ['actions show', 'action'],
  ] as const) {
    const place = commands.get(command)?.arguments.get(argument);
    if (place) place.handler = actionIds;
  }
  await program.parseAsync([...argv], { from: 'user' });
}
