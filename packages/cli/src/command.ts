import type { Cli, WritingCli } from './cli.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Prints } from './output/shape.ts';

type Run<Context, Args extends readonly unknown[]> = (
  cli: Context,
  ...args: Args
) => Promise<ExitCode | undefined>;

/** What a command prints may depend on its options. */
type PrintsOf<Args extends readonly unknown[]> =
  | Prints
  | ((cli: Cli, ...args: Args) => Prints | Promise<Prints>);

/**
 * A parsed command. Before it runs, the output options are checked against what it prints. Its context allows
 * writing only if the command writes, and not in a dry run.
 */
export type Command<Args extends readonly unknown[]> =
  | {
      readonly effect: 'reads';
      readonly prints: PrintsOf<Args>;
      readonly run: Run<Cli, Args>;
    }
  | {
      readonly effect: 'writes';
      readonly prints: PrintsOf<Args>;
      readonly run: Run<WritingCli, Args>;
    };

/** A command that changes nothing, neither here nor at the service. */
export function reads<Args extends readonly unknown[]>(
  prints: PrintsOf<Args>,
  run: Run<Cli, Args>,
): Command<Args> {
  return { effect: 'reads', prints, run };
}

/** A command that may change something: with --dry-run it stops before the first change and shows it. */
export function writes<Args extends readonly unknown[]>(
  prints: PrintsOf<Args>,
  run: Run<WritingCli, Args>,
): Command<Args> {
  return { effect: 'writes', prints, run };
}
