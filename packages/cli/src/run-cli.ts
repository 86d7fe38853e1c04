import type { Cli } from './cli.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { type Io, type SignalName, write } from './io.ts';
import { chooseLanguage } from './language.ts';
import type { Start } from './program.ts';
import { VERSION } from './version.ts';

/**
 * One run of the program, whole: parses, runs the command, tells errors, and gives the exit code.
 * @param argv without node and script
 */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    await write(io.stdout, `${VERSION}\n`);
    return EXIT.ok;
  }
  const stop = new AbortController();
  let stoppedBy: SignalName | null = null;
  io.onStop((signal) => {
    stoppedBy = signal;
    stop.abort(new Error(signal));
  });
  const exitCode = await parseAndRun(argv, io, stop.signal);
  if (stoppedBy === null) return exitCode;
  return stoppedBy === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}

async function parseAndRun(
  argv: readonly string[],
  io: Io,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { CommanderError, createProgram } = await import('./program.ts');
  const language = chooseLanguage(argv, io.env);
  const state: { cli?: Cli; exitCode: ExitCode } = { exitCode: EXIT.ok };
  const start: Start = async (globals, texts, command) => {
    const { Cli } = await import('./cli.ts');
    state.cli = new Cli(io, language, texts, globals, signal);
    state.exitCode = (await command(state.cli)) ?? EXIT.ok;
  };
  try {
    if (asksForCompletion(argv)) {
      const { complete } = await import('./commands/system/completion.ts');
      const all = { whole: () => true, without: 'completion' };
      await complete(await createProgram({ io, language, start, ...all }), argv, language);
      return EXIT.ok;
    }
    const whole = (name: string) => argv.includes(name) || argv.includes('commands');
    const program = await createProgram({ io, language, start, whole });
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(splitJsonFields(argv), { from: 'user' });
    return state.exitCode;
  } catch (error) {
    // Help that was asked for is no failure; commander has written it.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const { tellFailure } = await import('./tell-failure.ts');
    return await tellFailure(error, {
      argv,
      io,
      language,
      stopped: signal.aborted,
      cli: state.cli,
    });
  } finally {
    await state.cli?.close();
  }
}

/** A shell that asks for its script, or what may stand next; not someone who asks for help about that. */
function asksForCompletion([command, next]: readonly string[]): boolean {
  return /^complet(e|ion)$/.test(command ?? '') && !/^(-h|--help)$/.test(next ?? '');
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
