import type { Cli } from './cli.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { type Io, type SignalName, write } from './io.ts';
import { chooseLanguage, textsOf } from './language.ts';
import type { Start } from './program.ts';
import { VERSION } from './version.ts';

/**
 * One run of the program, whole: parses, runs the command, tells errors, and gives the exit code.
 * @param words without node and script
 */
export async function runCli(words: readonly string[], io: Io): Promise<ExitCode> {
  // `changgu help jobs submit`, as other programs have it.
  const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  if (argv[0] === '--version' || argv[0] === '-V') {
    await write(io.stdout, `${VERSION}\n`);
    return EXIT.ok;
  }
  const stop = new Stop();
  io.onStop((signal) => stop.by(signal));
  const exitCode = await parseAndRun(argv, io, stop);
  if (stop.signalName === null) return exitCode;
  return stop.signalName === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}

/** Whether the user asked to stop, and how. */
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
  const { CommanderError, createProgram } = await import('./program.ts');
  const language = chooseLanguage(argv, io.env);
  const state: { cli?: Cli; exitCode: ExitCode } = { exitCode: EXIT.ok };
  const start: Start = async (globals, texts, command, args) => {
    const { runCommand } = await import('./run-command.ts');
    const context = { io, language, texts, globals, signal: stop.signal };
    state.exitCode = await runCommand(command, context, args, (cli) => {
      state.cli = cli;
    });
  };
  try {
    const [first, second, ...rest] = withoutGlobals(argv);
    const asksForScript = first === 'completion' && second !== undefined && !asksForHelp(argv);
    if (first === 'complete' || asksForScript) {
      const { complete, writeScript } = await import('./commands/system/completion.ts');
      if (asksForScript) {
        writeScript(second, await textsOf(language));
        return EXIT.ok;
      }
      const program = await createProgram({ io, language, start, whole: () => true });
      const words = second === '--' ? rest : [second ?? '', ...rest];
      await complete(program, { io, language, texts: await textsOf(language), words });
      return EXIT.ok;
    }
    const whole = (name: string) => argv.includes(name) || argv.includes('commands');
    const program = await createProgram({ io, language, start, whole });
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(splitJsonFields(argv), { from: 'user' });
    return state.exitCode;
  } catch (error) {
    // Help that was asked for is not a failure; commander has written it.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const { tellFailure } = await import('./tell-failure.ts');
    return await tellFailure(error, {
      argv,
      io,
      language,
      stoppedBy: stop.signalName,
      cli: state.cli,
    });
  } finally {
    await state.cli?.close();
  }
}

/** Of `--option value` before the command, the value is not a command. */
const WITH_VALUE = /^(-o|--(profile|base-url|env-scope|output|fields|jq|lang|timeout|config))$/;

/** The words from the first that is not a global option. */
function withoutGlobals(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex(
    (word, index) => !word.startsWith('-') && !WITH_VALUE.test(argv[index - 1] ?? ''),
  );
  return at === -1 ? [] : argv.slice(at);
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h');
}

/** `--json=a,b` is two options: `--json` takes no value, or it would swallow the argument that follows it. */
function splitJsonFields(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.flatMap((word, index) =>
    index < end && word.startsWith('--json=')
      ? ['--json', `--fields=${word.slice('--json='.length)}`]
      : [word],
  );
}
