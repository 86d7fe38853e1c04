import { CliError, usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Texts } from '../texts/ko.ts';

/** The prompting context, and whether anyone can answer. */
export interface Asker {
  readonly io: Io;
  readonly texts: Texts;
  readonly interactive: boolean;
  readonly signal: AbortSignal;
}

/**
 * Prompts for a value without showing it.
 * @param instead the option for passing it without a terminal
 * @throws usage error when no one can answer: the prompt library would end the process (exit 13)
 */
export async function askSecret(asker: Asker, message: string, instead: string): Promise<string> {
  const { password } = await prompts(asker, instead);
  return answered(asker, await password({ message, ...streams(asker) }));
}

export async function askText(asker: Asker, message: string, instead: string): Promise<string> {
  const { text } = await prompts(asker, instead);
  return answered(asker, await text({ message, ...streams(asker) }));
}

/** Asks before an irreversible act; the default is no. @throws CliError when the answer is no */
export async function confirm(asker: Asker, what: string): Promise<void> {
  const { confirm: ask } = await prompts(asker, '--yes');
  const message = asker.texts.input.confirm(what);
  const { yes: active, no: inactive } = asker.texts.output;
  const yes = await ask({ message, active, inactive, initialValue: false, ...streams(asker) });
  if (yes !== true) throw canceled(asker);
}

async function prompts({ interactive, texts }: Asker, instead: string) {
  if (!interactive) throw usageError(texts.input.noTerminal(instead));
  return import('@clack/prompts');
}

/** Questions are not data: they go to stderr. */
function streams({ io, signal }: Asker) {
  return { input: io.stdin, output: io.stderr, signal };
}

function answered(asker: Asker, answer: string | symbol | undefined): string {
  if (typeof answer === 'symbol') throw canceled(asker);
  return answer ?? '';
}

export function canceled({ texts }: Pick<Asker, 'texts'>): CliError {
  return new CliError('CANCELED', texts.input.canceled, EXIT.interrupted);
}
