import { type AnyChangguError, isChangguError, type NextStep } from '@changgu/sdk';
import { NEXT_STEP_TERMS } from '@changgu/sdk/catalogue';
import { CliError } from '../cli-error.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { FileError, fileCodeOf, whyOf } from '../file-error.ts';
import { OutputError } from '../io.ts';
import type { Texts } from '../texts/ko.ts';
import { Unfinished } from '../unfinished.ts';
import { IS_SESSION } from '../write-gate.ts';
import { jobFailure } from './job-failure.ts';
import { sdkFailure, type Whereabouts, type Words } from './sdk-failure.ts';

/** An error as reported, in words or as JSON. */
export interface ErrorReport {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly hints: readonly string[];
  /** Further facts about the failed call: trace id, key, violated fields. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What an error means for the user of this program. */
export function reportError(error: unknown, texts: Texts, where: Whereabouts): ErrorReport {
  if (error instanceof Unfinished) return reportUnfinished(error, texts, where);
  if (error instanceof CliError) {
    const { exitCode, code, message, hints, facts } = error;
    return { exitCode, code, message, hints, facts };
  }
  if (isChangguError(error)) return reportSdkError(error, texts, where);
  const system = reportSystemError(error, texts);
  if (system !== null) return system;
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.failed, code: 'INTERNAL', message, hints: [], facts: {} };
}

/** What the operating system said of an output or a file. */
function reportSystemError(error: unknown, { system }: Texts): ErrorReport | null {
  if (error instanceof OutputError) {
    return {
      exitCode: EXIT.failed,
      code: 'OUTPUT_FAILED',
      message: system.output(whyOf(error.code, system)),
      hints: [],
      facts: { system_code: error.code },
    };
  }
  const code = error instanceof FileError ? error.code : fileCodeOf(error);
  if (code === null) return null;
  const { path } = Object(error);
  const why = whyOf(code, system);
  return {
    exitCode: EXIT.failed,
    code: 'FILE_FAILED',
    message: typeof path === 'string' ? system.file(path, why) : system.unnamed(why),
    hints: [],
    facts: { system_code: code },
  };
}

/** The user asked to stop: not an error, but what is still open has to be reported. */
export function reportStop(error: unknown, texts: Texts, exitCode: ExitCode): ErrorReport {
  const code = 'INTERRUPTED';
  if (!(error instanceof Unfinished)) {
    return { exitCode, code, message: texts.interrupted, hints: [], facts: {} };
  }
  const { facts, notice, commands } = error;
  return {
    exitCode,
    code,
    message: notice,
    hints: commands,
    facts: { ...facts, resume: commands[0] },
  };
}

/** What ended the run, then what is still open and how to resume it. */
function reportUnfinished(
  { cause, facts, notice, commands }: Unfinished,
  texts: Texts,
  where: Whereabouts,
): ErrorReport {
  const report = reportError(cause, texts, where);
  const timedOut = report.exitCode === EXIT.stillOpen;
  return {
    ...report,
    // Something exists, so the same command again would not be safe.
    exitCode: report.exitCode === EXIT.busy ? EXIT.failed : report.exitCode,
    message: timedOut ? notice : report.message,
    // The notice announces the commands; more time would only wait for the same.
    hints: timedOut ? commands : [...report.hints, notice, ...commands],
    facts: { ...report.facts, ...facts, resume: commands[0] },
  };
}

function reportSdkError(error: AnyChangguError, texts: Texts, where: Whereabouts): ErrorReport {
  const nextStep = error.nextStepIn(NEXT_STEP_TERMS.cli);
  const local = sdkFailure(error, texts, where);
  const isSession = IS_SESSION.test(error.operation ?? '');
  const mayBeDone = local !== null && nextStep.kind === 'check_state' && !isSession;
  const facts = {
    status: 'status' in error && typeof error.status === 'number' ? error.status : undefined,
    // What may have been done already is not for a script to repeat.
    retryable: error.retryable && !mayBeDone,
    next_step: nextStep.kind,
    system_code: 'systemCode' in error ? (error.systemCode ?? undefined) : undefined,
    // The service has no record of what was never sent.
    trace_id: 'neverSent' in error && error.neverSent ? undefined : (error.traceId ?? undefined),
    idempotency_key: error.idempotencyKey ?? undefined,
    fields: 'fields' in error && error.fields.length > 0 ? error.fields : undefined,
    retry_after_ms: 'retryAfterMs' in error ? (error.retryAfterMs ?? undefined) : undefined,
  };
  if ('job' in error) {
    const { exitCode, code, message, hints, facts: own } = jobFailure(error.job, texts);
    return { exitCode, code, message, hints, facts: { ...facts, ...own } };
  }
  const { message, hints } = local ?? serviceFailure(error, nextStep, texts);
  const first = mayBeDone ? [texts.failures.mayBeDone] : [];
  const exitCode = exitCodeOf(error);
  return {
    // Busy says that nothing was accepted.
    exitCode: mayBeDone && exitCode === EXIT.busy ? EXIT.failed : exitCode,
    code: error.code,
    message,
    hints: [...first, ...hints],
    facts,
  };
}

/** The service's message, which is in the language of the run. */
function serviceFailure(error: AnyChangguError, nextStep: NextStep, texts: Texts): Words {
  // The SDK puts status and code before the service's message.
  // The SDK's message names the first field; the report names them all.
  const [first] = 'fields' in error ? error.fields : [];
  const repeated = first ? ` (${first.loc.join('.')}: ${first.msg})` : '';
  const whole = error.message.endsWith(repeated)
    ? error.message.slice(0, error.message.length - repeated.length)
    : error.message;
  const message = 'status' in error ? whole.replace(/^\d{3} \w+: /, '') : whole;
  const login = error.name === 'AuthenticationError' ? ['changgu login'] : [];
  const wait =
    'retryAfterMs' in error && error.retryAfterMs !== null
      ? [texts.failures.retryAfter(Math.ceil(error.retryAfterMs / 1000))]
      : [];
  const said = texts.inLanguage(nextStep);
  const hint = concernsKey(error) ? said : withoutKey(said);
  return { message, hints: [hint, ...login, ...wait] };
}

/** A refusal for good made no job, and most requests have no key. */
function concernsKey({ idempotencyKey, retryable, code }: AnyChangguError): boolean {
  return idempotencyKey !== null && (retryable || code.startsWith('IDEMPOTENCY_'));
}

const KEY = NEXT_STEP_TERMS.cli.key;
const CLAUSE = new RegExp(`; [^.;]*${KEY}`);
const PHRASE = new RegExp(`,? with (a new|the same) ${KEY}|(새|같은) ${KEY}로 `);

/** A step without what it says of the key. */
function withoutKey(step: string): string {
  const sentences = step.replace(CLAUSE, '').split(/(?<=\.) /);
  const others = sentences.filter((sentence) => !sentence.includes(KEY));
  return others.length > 0 ? others.join(' ') : step.replace(PHRASE, '');
}

function exitCodeOf(error: AnyChangguError): ExitCode {
  switch (error.name) {
    case 'AuthenticationError':
    case 'PermissionError':
      return EXIT.forbidden;
    case 'RateLimitError':
      // A full storage, or a call larger than the whole quota: a repeat is refused, too.
      return error.retryable ? EXIT.busy : EXIT.failed;
    case 'ServerError':
      return error.status === 503 && error.retryable ? EXIT.busy : EXIT.failed;
    case 'ConfigurationError':
    case 'TokenError':
    case 'EncryptionError':
      return EXIT.usage;
    case 'WaitTimeoutError':
      return EXIT.stillOpen;
    case 'AbortError':
      return EXIT.interrupted;
    default:
      return EXIT.failed;
  }
}
