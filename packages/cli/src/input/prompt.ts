import { CliError, usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { safeLine } from '../terminal-text.ts';
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
export async function askSecret(asker: Asker, what: string, instead: string): Promise<string> {
  const { password } = await prompts(asker, instead);
  const message = safeLine(what);
  return answered(asker, await ask(asker, (streams) => password({ message, ...streams })));
}

export async function askText(asker: Asker, what: string, instead: string): Promise<string> {
  const { text } = await prompts(asker, instead);
  const message = safeLine(what);
  return answered(asker, await ask(asker, (streams) => text({ message, ...streams })));
}

/**
 * Asks before an irreversible act; the default is no.
 * @param what says what it does, and to what; called only where someone can answer
 * @throws CliError when the answer is no
 */
export async function confirm(asker: Asker, what: () => Promise<string>): Promise<void> {
  const { confirm: askYesOrNo } = await prompts(asker, '--yes');
  const message = safeLine(asker.texts.input.confirm(await what()));
  const { yes: active, no: inactive } = asker.texts.output;
  const question = { message, active, inactive, initialValue: false };
  const yes = await ask(asker, (streams) => askYesOrNo({ ...question, ...streams }));
  if (yes !== true) throw canceled(asker);
}

async function prompts({ interactive, texts }: Asker, instead: string) {
  if (!interactive) throw usageError(texts.input.noTerminal(instead));
  return import('@clack/prompts');
}

interface Streams {
  readonly input: Io['stdin'];
  readonly output: Io['stderr'];
  readonly signal: AbortSignal;
}

/**
 * Asks on stderr, because questions are not data. Ctrl-D, or a terminal that is gone, cancels the question: the library
 * would wait for an answer that cannot come, and the program would end as if all were done.
 */
export async function ask<T>(
  { io, signal }: Pick<Asker, 'io' | 'signal'>,
  question: (streams: Streams) => Promise<T>,
): Promise<T> {
  const { stdin: input, stderr: output } = io;
  const gone = new AbortController();
  const onEnd = () => gone.abort();
  const onKey = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    if (key?.ctrl && key.name === 'd') gone.abort();
  };
  input.on('keypress', onKey);
  input.on('end', onEnd);
  try {
    return await question({ input, output, signal: AbortSignal.any([signal, gone.signal]) });
  } finally {
    input.off('keypress', onKey);
    input.off('end', onEnd);
  }
}

function answered(asker: Asker, answer: string | symbol | undefined): string {
  if (typeof answer === 'symbol') throw canceled(asker);
  return answer ?? '';
}

export function canceled({ texts }: Pick<Asker, 'texts'>): CliError {
  return new CliError('CANCELED', texts.input.canceled, EXIT.interrupted);
}
