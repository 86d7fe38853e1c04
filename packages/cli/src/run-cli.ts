import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';
import { EXIT, type ExitCode, exitCodeAfter } from './exit-codes.ts';
import type { GlobalOptions } from './global-options.ts';
import { checkWritten, type Io, type SignalName, write } from './io.ts';
import { chooseLanguage, type Language, textsOf } from './language.ts';
import { asksForJson } from './output/format.ts';
import type { Start } from './program.ts';
import type { Texts } from './texts/ko.ts';
import { VERSION } from './version.ts';

/**
 * One complete run of the program: parses, runs the command, reports errors, and returns the exit code.
 * @param words without node and script
 */
export async function runCli(words: readonly string[], io: Io): Promise<ExitCode> {
  // `changgu help jobs submit`, as other programs have it.
  const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  const stop = new Stop();
  io.onStop((signal) => stop.by(signal));
  const exitCode = await parseAndRun(argv, io, stop);
  return stop.signalName === null ? exitCode : exitCodeAfter(stop.signalName);
}

/** Whether and how the user asked to stop. */
class Stop {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  signalName: SignalName | null = null;

  by(name: SignalName): void {
    this.signalName = name;
    this.#controller.abort(new Error(name));
  }
}

async function parseAndRun(argv: readonly string[], io: Io, stop: Stop): Promise<ExitCode> {
  const language = chooseLanguage(argv, io.env);
  const run: Run = { io, language, stop, cli: undefined };
  try {
    const exitCode = await answer(argv, run);
    // Commander does not wait for the help that it writes.
    checkWritten(io.stdout);
    return exitCode;
  } catch (error) {
    const { tellFailure } = await import('./tell-failure.ts');
    const { signalName: stoppedBy } = stop;
    return await tellFailure(error, { argv, io, language, stoppedBy, cli: run.cli });
  } finally {
    await run.cli?.close();
  }
}

/** One run while it goes. */
interface Run {
  readonly io: Io;
  readonly language: Language;
  readonly stop: Stop;
  /** The command's context, once there is one. */
  cli: Cli | undefined;
}

async function answer(argv: readonly string[], run: Run): Promise<ExitCode> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    await write(run.io.stdout, `${VERSION}\n`);
    return EXIT.ok;
  }
  if (await answerShell(argv, run)) return EXIT.ok;
  try {
    return await runWords(argv, run);
  } catch (error) {
    // Requested help is not a failure; commander has written it.
    if (isHelp(error)) return EXIT.ok;
    throw error;
  }
}

/** Parses and runs; a missing argument is prompted for, and the words are parsed again with it. */
async function runWords(argv: readonly string[], run: Run): Promise<ExitCode> {
  const { io, language, stop } = run;
  const { createProgram } = await import('./program.ts');
  let exitCode: ExitCode = EXIT.ok;
  for (let words = argv; ; ) {
    const contextOf = (globals: GlobalOptions, texts: Texts) => {
      const { signal } = stop;
      return { io, language, texts, globals, words, signal };
    };
    const start: Start = async (globals, texts, command, args) => {
      const { runCommand } = await import('./run-command.ts');
      exitCode = await runCommand(command, contextOf(globals, texts), args, (cli) => {
        run.cli = cli;
      });
    };
    const [only] = withoutGlobals(words);
    const which = only === 'commands' ? { whole: true } : { only };
    const json = asksForJson(words);
    const program = await createProgram({ io, language, start, json, ...which });
    // Commander would show the help of what it knows, as if nothing were wrong.
    const parsed = asksForHelp(words) && isUnknown(program, words) ? withoutHelp(words) : words;
    try {
      if (words.length === 0) program.outputHelp();
      else await program.parseAsync(splitJsonFields(parsed), { from: 'user' });
      return exitCode;
    } catch (error) {
      if (!lacksArgument(error)) throw error;
      const { pickMissing } = await import('./pickers/pick-missing.ts');
      const context = contextOf(program.opts(), await textsOf(language));
      const picked = await pickMissing(program, context, (cli) => {
        run.cli = cli;
      });
      await run.cli?.close();
      if (picked === null) throw error;
      words = [...words, picked];
    }
  }
}

/** Completion: its script, or candidates. */
async function answerShell(argv: readonly string[], run: Run): Promise<boolean> {
  const [first, second, ...rest] = withoutGlobals(argv);
  const asksForScript = first === 'completion' && second !== undefined && !asksForHelp(argv);
  if (first !== 'complete' && !asksForScript) return false;
  const { io, language } = run;
  const texts = await textsOf(language);
  const { complete, writeScript } = await import('./commands/system/completion.ts');
  if (asksForScript) {
    await writeScript(second, io, texts);
    return true;
  }
  const { createProgram } = await import('./program.ts');
  const program = await createProgram({ io, language, start: async () => {}, whole: true });
  const words = second === '--' ? rest : [second ?? '', ...rest];
  await complete(program, { io, language, texts, words });
  return true;
}

/** Recognized by code: command modules are built apart from the parser, so their classes would differ. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isHelp(error: unknown): boolean {
  return codeOf(error).startsWith('commander.') && Object(error).exitCode === 0;
}

/** Said by the parser, or by a command of whose arguments one is enough. */
function lacksArgument(error: unknown): boolean {
  return (
    codeOf(error) === 'commander.missingArgument' ||
    Object(Object(error).facts).missing_argument !== undefined
  );
}

/** In `--option value` before the command, the value is not a command. */
const WITH_VALUE = /^(-o|--(profile|base-url|env-scope|output|fields|jq|lang|timeout|config))$/;

/** The words starting with the first that is not a global option. */
function withoutGlobals(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex(
    (word, index) => !word.startsWith('-') && !WITH_VALUE.test(argv[index - 1] ?? ''),
  );
  return at === -1 ? [] : argv.slice(at);
}

const HELP = /^(-h|--help)$/;

function asksForHelp(argv: readonly string[]): boolean {
  return argv.some((word) => HELP.test(word));
}

function withoutHelp(argv: readonly string[]): readonly string[] {
  return argv.filter((word) => !HELP.test(word));
}

/** Whether the words name a command that there is not. */
function isUnknown(program: CommandUnknownOpts, argv: readonly string[]): boolean {
  let { commands } = program;
  for (const word of withoutHelp(withoutGlobals(argv))) {
    if (commands.length === 0 || word.startsWith('-')) return false;
    const named = commands.find((command) => command.name() === word);
    if (named === undefined) return true;
    ({ commands } = named);
  }
  return false;
}

/** `--json=a,b` stands for two options: `--json` itself takes no value, or it would swallow the next argument. */
function splitJsonFields(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.flatMap((word, index) =>
    index < end && word.startsWith('--json=')
      ? ['--json', `--fields=${word.slice('--json='.length)}`]
      : [word],
  );
}
