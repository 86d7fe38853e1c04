import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { chooseLanguage } from './language.ts';
import { VERSION } from './version.ts';

/** Files by language and command, with the width of their longest line. */
export interface HelpIndex {
  readonly [language: string]: Readonly<Record<string, number>>;
}

const ASKS = /^(-h|--help)$/;

/**
 * Prints the version, and help that the build has written, without loading the parser. Left to the program: unknown
 * commands, other options, and terminals that are too narrow for the stored text.
 * @param dir where the build put the texts
 * @returns whether it was printed
 */
export function tellHelp(argv: readonly string[], dir: string): boolean {
  const [first, ...others] = argv;
  if (first === '--version' || first === '-V') return writeAll(Buffer.from(`${VERSION}\n`));
  const words = first === 'help' ? [...others, '--help'] : argv;
  const named = words.filter((word) => !ASKS.test(word));
  const asked = named.length < words.length || words.length === 0;
  if (!asked || !named.every((word) => /^[a-z]+(-[a-z]+)*$/.test(word))) return false;
  try {
    const language = chooseLanguage([], process.env);
    const name = fileOf(named);
    const index: HelpIndex = JSON.parse(readFileSync(join(dir, 'index.json'), 'utf8'));
    const width = index[language]?.[name];
    if (width === undefined || (isTerminal(1) && width > process.stdout.columns)) return false;
    return writeAll(readFileSync(join(dir, language, name)));
  } catch {
    return false;
  }
}

/** A pipe or a file is none, which is known without `node:tty`: that loads the network. */
function isTerminal(fd: number): boolean {
  return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(fd);
}

/**
 * Not through a stream, because opening one costs more than all of this.
 * @returns false when the disk is full, which the program fails to write to as well, and says so
 */
function writeAll(text: Uint8Array): boolean {
  try {
    for (let at = 0; at < text.length; ) at += writeSync(1, text, at);
    return true;
  } catch (error) {
    // A reader that stops early is not an error.
    return error instanceof Error && 'code' in error && error.code === 'EPIPE';
  }
}

/** `jobs submit` → `jobs_submit.txt` */
export function fileOf(words: readonly string[]): string {
  return `${words.join('_')}.txt`;
}
