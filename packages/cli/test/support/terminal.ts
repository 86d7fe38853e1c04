import { type IPty, spawn } from '@lydell/node-pty';
import { cliProgram } from '../../../../scripts/programs.ts';

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const ESCAPE = '\u001b';
export const DOWN = '\u001b[B';

export type TerminalEnv = Readonly<Record<string, string>> & { readonly HOME: string };

/** Runs the command in a pseudo-terminal. */
export class Terminal {
  readonly #pty: IPty;
  readonly #exit: Promise<number>;
  #seen = '';
  #told = () => {};

  constructor(argv: readonly string[], env: TerminalEnv, columns = 100, rows = 30) {
    this.#pty = spawn(process.execPath, [...cliProgram(), ...argv], {
      cols: columns,
      rows,
      env: {
        PATH: process.env.PATH ?? '',
        TERM: 'xterm-256color',
        CHANGGU_CREDENTIAL_STORE: 'file',
        ...env,
      },
    });
    this.#pty.onData((text) => {
      this.#seen += text;
      this.#told();
    });
    this.#exit = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => resolve(exitCode));
    });
  }

  get seen(): string {
    return this.#seen;
  }

  /** Waits until this has been written. */
  async sees(words: string): Promise<void> {
    while (!this.#seen.includes(words)) {
      const more = new Promise<'more'>((resolve) => {
        this.#told = () => resolve('more');
      });
      const end = await Promise.race([more, this.#exit]);
      if (end !== 'more' && !this.#seen.includes(words))
        throw new Error(`ended without "${words}":\n${this.#seen}`);
    }
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  exit(): Promise<number> {
    return this.#exit;
  }
}
