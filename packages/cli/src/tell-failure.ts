import type { CommanderError } from '@commander-js/extra-typings';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type Language, textsOf } from './language.ts';
import { reportError } from './output/error-report.ts';
import { asksForJson } from './output/format.ts';
import { printError } from './output/print-error.ts';
import { styleFor } from './output/style.ts';
import { translateUsageError } from './usage-error.ts';

interface Failure {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly language: Language;
  /** The user asked to stop: the failure is that, and the command said what there was to say. */
  readonly stopped: boolean;
}

/** Tells why the run failed, on stderr, and gives the exit code. */
export async function tellFailure(
  error: unknown,
  { argv, io, language, stopped }: Failure,
): Promise<ExitCode> {
  const texts = textsOf(language);
  const usage = isParserError(error) ? error : null;
  // A group without a command: commander has written its help.
  if (usage?.code === 'commander.help') return EXIT.usage;
  const known = usage ? translateUsageError(usage, texts) : error;
  const report = reportError(known, texts);
  if (stopped) return EXIT.interrupted;
  const style = styleFor(io.stderr, io.env, !argv.includes('--no-color'));
  await printError(io.stderr, report, { json: asksForJson(argv), texts, style });
  if (argv.includes('--debug') && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  return report.exitCode;
}

/** By its code: this module is built apart from the parser, so its class would be another. */
function isParserError(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
