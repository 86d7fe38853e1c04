import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { chooseLanguage } from './language.ts';
import { VERSION } from './version.ts';

/** Files by language and command, and how wide their longest line is. */
export interface HelpIndex {
  readonly [language: string]: Readonly<Record<string, number>>;
}

const ASKS = /^(-h|--help)$/;

/**
 * Tells the version, and help that the build wrote down, without loading the parser. Left to the program: unknown
 * commands, other options, and terminals that are too narrow for the text as it is.
 * @param dir where the build put the texts
 * @returns whether it was told
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
    if (width === undefined || (isatty(1) && width > process.stdout.columns)) return false;
    return writeAll(readFileSync(join(dir, language, name)));
  } catch {
    return false;
  }
}

/** Not by a stream: opening one costs more than all of this. */
function writeAll(text: Uint8Array): true {
  try {
    for (let at = 0; at < text.length; ) at += writeSync(1, text, at);
  } catch (error) {
    // A reader that stops early is not an error.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
  return true;
}

/** `jobs submit` → `jobs_submit.txt` */
export function fileOf(words: readonly string[]): string {
  return `${words.join('_')}.txt`;
}
