import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';

const docs = new URL('../../../../docs/', import.meta.url);
const text = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(name, docs), 'utf8'))
  .join('\n');

/** The words of every command, without those of its groups alone. */
function commandsIn({ commands }: Command): string[] {
  return commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : commandsIn(command).map((words) => `${command.name()} ${words}`),
  );
}

it.each(commandsIn(createProgram()))('changgu-server %s is on a page', (command) => {
  expect(text).toMatch(new RegExp(`(changgu-server |\`)${command}\\b`));
});

/** The rest is on the pages about OAuth, identity providers and connectors. */
const OPERATION = /^(admin|api-key|audit|keys) /;

it.each(commandsIn(createProgram()).filter((command) => OPERATION.test(command)))(
  'changgu-server %s is on the page for operators',
  (command) => {
    const page = readFileSync(new URL('operations.md', docs), 'utf8');
    expect(page.includes(`changgu-server ${command}`)).toBe(true);
  },
);
