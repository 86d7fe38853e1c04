import { EXIT, type ExitCode } from './exit-codes.ts';

/** What this program itself has to say: the message is for people, in their language, and holds no secret. */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** Stable, for scripts. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** What to do next; the last line that is printed. */
  readonly hints: readonly string[];

  constructor(code: string, message: string, exitCode: ExitCode, hints: readonly string[] = []) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.hints = hints;
  }
}

/** The input is wrong; nothing was sent. */
export function usageError(message: string, ...hints: string[]): CliError {
  return new CliError('USAGE', message, EXIT.usage, hints);
}
