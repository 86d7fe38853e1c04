import { escapeControls } from '@changgu/contract/harmless-text';
import type { CommanderError } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';
import { CliError, usageError } from './cli-error.ts';
import { proxyVariable } from './config/proxy-variable.ts';
import { EXIT, type ExitCode, exitCodeAfter } from './exit-codes.ts';
import { type Io, type SignalName, tell } from './io.ts';
import { type Language, textsOf } from './language.ts';
import { reportError, reportStop } from './output/error-report.ts';
import { asksForJson } from './output/format.ts';
import { printError } from './output/print-error.ts';
import type { Whereabouts } from './output/sdk-failure.ts';
import { styleFor } from './output/style.ts';
import { translateUsageError } from './usage-error.ts';

interface Failure {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly language: Language;
  /** The user asked to stop, and that is the failure. */
  readonly stoppedBy: SignalName | null;
  /** Missing when the failure came before there was a command to run. */
  readonly cli: Cli | undefined;
}

/** Reports on stderr why the run failed, and returns the exit code. */
export async function tellFailure(
  error: unknown,
  { argv, io, language, stoppedBy, cli }: Failure,
): Promise<ExitCode> {
  // A reader that stops early is not an error.
  const { errored } = io.stdout;
  if (errored && 'code' in errored && errored.code === 'EPIPE') return EXIT.ok;
  const texts = await textsOf(language);
  const usage = isParserError(error) ? error : null;
  const json = asksForJson(argv);
  const lacksCommand = usage?.code === 'commander.help';
  // Commander has written the help of the group.
  if (lacksCommand && !json) return EXIT.usage;
  const known = lacksCommand
    ? usageError(texts.usage.missingArgument('command'))
    : usage
      ? translateUsageError(usage, texts)
      : error;
  const report = stoppedBy
    ? reportStop(known, texts, exitCodeAfter(stoppedBy))
    : reportError(known, texts, await whereabouts(cli));
  const resume = report.facts.resume;
  const isCutOff = stoppedBy !== null || report.code === 'TIMEOUT';
  const { mayBeDone } = texts.failures;
  const isUnclear = isCutOff && resume === undefined && cli?.gate.isUnanswered === true;
  const said =
    isUnclear && !report.hints.includes(mayBeDone) ? [mayBeDone, ...report.hints] : report.hints;
  const hints = said.map((hint) => cli?.next(hint) ?? hint);
  const facts =
    typeof resume === 'string'
      ? { ...report.facts, resume: cli?.next(resume) ?? resume }
      : report.facts;
  await printError(
    io.stderr,
    { ...report, hints, facts },
    {
      json,
      stopped: stoppedBy !== null || isCanceled(known),
      texts,
      style: styleFor(io.stderr, io.env, !argv.includes('--no-color')),
    },
  );
  if (argv.includes('--debug') && error instanceof Error) {
    // It begins with the message, which may be the service's.
    await tell(io.stderr, `${escapeControls(error.stack ?? error.message)}\n`);
  }
  return report.exitCode;
}

/** The answer to a question was no. */
function isCanceled(error: unknown): boolean {
  return error instanceof CliError && error.code === 'CANCELED';
}

/** Recognized by code: this module is built apart from the parser, so its class would differ. */
function isParserError(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

/** Unreadable settings are a separate failure, reported earlier. */
async function whereabouts(cli: Cli | undefined): Promise<Whereabouts> {
  const settings = await cli?.settingsOfAnyProfile().catch(() => null);
  return {
    baseUrl: settings?.baseUrl?.value ?? null,
    proxyVariable: cli ? proxyVariable(cli.io.env) : null,
    timeoutMs: cli?.timeoutMs ?? null,
  };
}
