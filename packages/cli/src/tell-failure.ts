import type { CommanderError } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';
import { proxyVariable } from './config/proxy-variable.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type Language, textsOf } from './language.ts';
import { reportError } from './output/error-report.ts';
import { asksForJson } from './output/format.ts';
import { printError } from './output/print-error.ts';
import type { Whereabouts } from './output/sdk-failure.ts';
import { styleFor } from './output/style.ts';
import { translateUsageError } from './usage-error.ts';

interface Failure {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly language: Language;
  /** The user asked to stop: the failure is that, and the command said what there was to say. */
  readonly stopped: boolean;
  /** Missing where the failure came before there was a command to run. */
  readonly cli: Cli | undefined;
}

/** Tells why the run failed, on stderr, and gives the exit code. */
export async function tellFailure(
  error: unknown,
  { argv, io, language, stopped, cli }: Failure,
): Promise<ExitCode> {
  const texts = await textsOf(language);
  const usage = isParserError(error) ? error : null;
  // A group without a command: commander has written its help.
  if (usage?.code === 'commander.help') return EXIT.usage;
  const known = usage ? translateUsageError(usage, texts) : error;
  const report = reportError(known, texts, await whereabouts(cli));
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

/** Settings that cannot be read are a failure of their own, told before. */
async function whereabouts(cli: Cli | undefined): Promise<Whereabouts> {
  const settings = await cli?.settings().catch(() => null);
  return {
    baseUrl: settings?.baseUrl?.value ?? null,
    proxyVariable: cli ? proxyVariable(cli.io.env) : null,
  };
}
