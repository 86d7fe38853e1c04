import scripts from '@bomb.sh/tab';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { usageError } from '../../cli-error.ts';
import { placeOf } from '../../input/place.ts';
import type { Io } from '../../io.ts';
import { write } from '../../io.ts';
import type { Language } from '../../language.ts';
import type { Texts } from '../../texts/ko.ts';
import { BASH_COMPLETION } from './bash-completion.ts';
import { type Answer, answersFor, SHELLS } from './completion-values.ts';

export interface CompletionRequest {
  readonly io: Io;
  readonly language: Language;
  readonly texts: Texts;
  /** The words being completed may contain `--config`, which is not parsed yet: uses the default path. */
  readonly words: readonly string[];
}

const NAME = 'changgu';
/** What the scripts understand: no file names; and no space after the word. */
const NO_FILES = 4;
const NO_SPACE = 2;

/** Writes a shell's completion script, which asks this program for candidates. */
export async function writeScript(shell: string, io: Io, { input }: Texts): Promise<void> {
  if (!SHELLS.includes(shell)) throw usageError(input.notOneOf('shell', SHELLS.join(', ')));
  await write(io.stdout, shell === 'bash' ? BASH_COMPLETION : scriptOf(shell));
}

/** The library prints its script with `console.log`, which hides that a disk is full. */
function scriptOf(shell: string): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => lines.push(`${line}\n`);
  try {
    scripts.setup(NAME, NAME, shell);
  } finally {
    console.log = log;
  }
  return lines.join('');
}

/** Prints completion candidates. Sends nothing and reads no credentials. */
export async function complete(
  program: CommandUnknownOpts,
  request: CompletionRequest,
): Promise<void> {
  const place = placeOf(program, request.words);
  const answers = await answersFor(program, place, request);
  const fitting = (answers ?? []).filter(({ value }) => value.startsWith(place.current));
  const open = fitting.some(({ value }) => value.endsWith('='));
  const directive = answers === null ? 0 : NO_FILES + (open ? NO_SPACE : 0);
  const lines = fitting.map(({ value, about }: Answer) => `${value}\t${about}`);
  await write(request.io.stdout, `${[...lines, `:${directive}`].join('\n')}\n`);
}
