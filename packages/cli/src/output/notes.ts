import { type Io, tell } from '../io.ts';
import { safeLine } from '../terminal-text.ts';
import type { Texts } from '../texts/ko.ts';
import type { Style } from './style.ts';

export interface NotesOptions {
  readonly io: Io;
  readonly texts: Texts;
  readonly style: Style;
  /** Nothing is written, because users join both streams and the data is JSON. */
  readonly silent: boolean;
  /** Warnings only. */
  readonly quiet: boolean;
  /** Completes a command to type next with the options of this run. */
  readonly nextCommand: (command: string) => string;
}

/** Messages on stderr, besides the data. */
export class Notes {
  readonly #options: NotesOptions;

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  async info(text: string): Promise<void> {
    const { silent, quiet } = this.#options;
    if (!silent && !quiet) await this.#write(text);
  }

  /** What a question is about, which a person has to see whatever the output is. */
  async beforeQuestion(text: string): Promise<void> {
    await this.#write(text);
  }

  async warn(text: string): Promise<void> {
    const { silent, texts, style } = this.#options;
    if (!silent) await this.#write(text, `${style('yellow', `${texts.warning}:`)} `);
  }

  /** Commands to type next. */
  async next(title: string, commands: readonly string[]): Promise<void> {
    const { nextCommand } = this.#options;
    await this.info([title, ...commands.map((command) => `  ${nextCommand(command)}`)].join('\n'));
  }

  /** `prefix` is our own and may be colored; the text may contain what a server said. */
  async #write(text: string, prefix = ''): Promise<void> {
    const lines = text.split('\n').map(safeLine);
    await tell(this.#options.io.stderr, `${prefix}${lines.join('\n')}\n`);
  }
}
