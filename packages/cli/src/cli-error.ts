import { EXIT, type ExitCode } from './exit-codes.ts';

/** An error of this program itself: the message is for people, in their language, and contains no secret. */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** Stable, for scripts. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** What to do next, printed last. */
  readonly hints: readonly string[];
  /** Further facts, as in JSON. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    exitCode: ExitCode,
    hints: readonly string[] = [],
    facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.hints = hints;
    this.facts = facts;
  }
}

/** The input is invalid; nothing was changed. */
export function usageError(message: string, ...hints: string[]): CliError {
  return new CliError('USAGE', message, EXIT.usage, hints);
}

/** A missing argument that a person at a terminal can choose. */
export function missingArgument(name: string, message: string, ...hints: string[]): CliError {
  return new CliError('USAGE', message, EXIT.usage, hints, { missing_argument: name });
}

/** What the service would answer of something that is not there, without asking about it first. */
export function notFound(message: string, ...hints: string[]): CliError {
  return new CliError('RESOURCE_NOT_FOUND', message, EXIT.failed, hints, { status: 404 });
}
