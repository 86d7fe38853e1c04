import { type Io, nowOf } from '../io.ts';
import { safeLine } from '../terminal-text.ts';
import type { Style } from './style.ts';
import { fit } from './width.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Anything shorter needs no spinner. */
const DELAY_MS = 200;
const FRAME_MS = 100;

export interface ProgressLineOptions {
  readonly io: Io;
  readonly style: Style;
  readonly mode: 'animated' | 'milestones' | 'silent';
}

/**
 * One line on stderr about what is going on. A terminal redraws it in place; elsewhere each new text is a
 * line of its own; with JSON or --quiet there is none.
 */
export class ProgressLine {
  readonly #options: ProgressLineOptions;
  readonly #started: number;
  #text = '';
  #frame = 0;
  #drawn = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProgressLineOptions) {
    this.#options = options;
    this.#started = nowOf(options.io);
  }

  /** Whether anyone can read it. */
  get visible(): boolean {
    return this.#options.mode !== 'silent';
  }

  show(text: string): void {
    const line = safeLine(text);
    const { mode, io } = this.#options;
    if (mode === 'silent') return;
    if (mode === 'milestones') {
      if (line !== this.#text) io.stderr.write(`${line}\n`);
      this.#text = line;
      return;
    }
    this.#text = line;
    this.#timer ??= setTimeout(() => {
      this.#timer = setInterval(() => this.#draw(), FRAME_MS);
      this.#draw();
    }, DELAY_MS).unref();
  }

  /** Clears the line; the next output takes its place. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#drawn) this.#options.io.stderr.write('\r\u001b[2K');
    this.#drawn = false;
  }

  #draw(): void {
    const { io, style } = this.#options;
    const seconds = Math.floor((nowOf(io) - this.#started) / 1000);
    const elapsed = seconds > 0 ? ` ${seconds}s` : '';
    // One column less than the terminal has, because a full line would wrap and could not be redrawn.
    const room = (io.stderr.columns ?? 80) - 3 - elapsed.length;
    const frame = FRAMES[this.#frame++ % FRAMES.length] ?? '';
    io.stderr.write(
      `\r\u001b[2K${style('cyan', frame)} ${fit(this.#text, room)}${style('dim', elapsed)}`,
    );
    this.#drawn = true;
  }
}
