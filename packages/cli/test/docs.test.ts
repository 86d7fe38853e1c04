import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { processIo } from '../src/process-io.ts';
import { createProgram } from '../src/program.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const docs = await read('../../../docs/cli.md');
const blocks = [...docs.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

/** Commands that a text tells its reader to type, up to what the shell does with them. */
function commandsIn(text: string): string[] {
  // What asks a question lacks an argument on purpose.
  const complete = text.replaceAll(/^\$ .*\n(?=\? )/gm, '');
  const lines = complete.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.flatMap((line) => {
    const [, command] = /^\s*(?:\$ )?(?:\w+=\$\()?changgu ([^#|<>;)]+)/.exec(line) ?? [];
    return command === undefined ? [] : [command.trim()];
  });
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

describe('docs/cli.md and the examples of the help', () => {
  it('name only commands and options that there are', async () => {
    const helps = await read('golden/help.ko.txt');
    const examples = [...helps.matchAll(/^ {2}\$ (?:.*\\\n)*.*$/gm)].map(([text]) => text);
    const commands = new Set([...blocks, ...examples].flatMap(commandsIn));
    expect(commands.size).toBeGreaterThan(40);
    for (const command of commands) {
      const words = wordsOf(command);
      // The completion library brings its command itself.
      if (words[0] === 'completion') continue;
      const ran: string[] = [];
      const program = await createProgram({
        io: processIo(),
        language: 'ko',
        start: async () => void ran.push(command),
        whole: true,
      });
      await program.parseAsync(words, { from: 'user' });
      expect(ran).toEqual([command]);
    }
  });
});
